"""Words that carry no topic."""

_ENGLISH = """
a about above across after afterwards again against ain't all almost along already also although always
am among amongst an and another any anyone anything are aren't around as at away b be became because
become becomes been before behind being below beside besides between beyond both but by c'mon can can't
cannot could could've couldn't d did didn't do does doesn't doing don't done down during e each eg either
else elsewhere enough especially etc even ever every everyone everything except f few for from further g
get gets getting given go goes going gone got had hadn't has hasn't have haven't having he he'd he'll
hence her here hers herself him himself his how how'd how'll however i i'd i'll i'm i've ie if in indeed
instead into is isn't it it'd it'll its itself just k least less ll m made make makes many may maybe me
might might've mightn't mine more moreover most mostly much must must've mustn't my myself n namely near
needn't neither never nevertheless next no nobody none nor not nothing now nowhere o of off often oh ok
on once one only onto or other others otherwise ought our ours ourselves out over own p per perhaps
quite rather re really s said same say says see seem seemed seems seen several shall shan't she she'd
she'll should should've shouldn't since so some somehow someone something sometimes somewhere still such
t than that that'd that'll the their theirs them themselves then thence there there'd there'll thereby
therefore these they they'd they'll they're they've this those though through throughout thus to together
too toward towards u under unless until up upon us use used using v various ve very via was wasn't we
we'd we'll we're we've well went were weren't what what'd what'll whatever when whence whenever where
where'd whereas whereby wherever whether which while who who'd who'll whoever whole whom whose why will
with within without won't would would've wouldn't yes yet you you'd you'll you're you've your yours
yourself yourselves
"""

ENGLISH = frozenset(_ENGLISH.split())
"""English function words, with their contractions and the letters that abbreviations leave behind."""
