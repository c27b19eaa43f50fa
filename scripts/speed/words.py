"""The words that the synthetic web is written in: subjects with words of their own, and common English."""

from typing import NamedTuple


class Vocabulary(NamedTuple):
    """The words of a subject."""

    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    adjectives: tuple[str, ...]


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SUBJECTS = {
    "volcanoes": Vocabulary(
        _split(
            "volcano eruption lava magma crater ash caldera vent plume fissure summit tremor basalt pumice dome "
            "seismometer observatory eruptions volcanoes fumarole tephra lahar hazard gas"
        ),
        _split("erupt monitor tremble pour collapse evacuate measure spread cool burst"),
        _split("volcanic seismic molten dormant active explosive basaltic geological sulphurous restless"),
    ),
    "gardening": Vocabulary(
        _split(
            "garden soil seed tomato pruning compost hedge lawn border bulb greenhouse mulch spade seedling rose "
            "vegetable orchard trellis watering frost shrub perennial herb allotment"
        ),
        _split("plant prune water sow dig harvest weed graft feed transplant"),
        _split("green fertile shady hardy leafy organic sunny blooming evergreen rotten"),
    ),
    "sailing": Vocabulary(
        _split(
            "sail mast harbour anchor rudder keel deck tide regatta skipper crew buoy compass rope hull spinnaker "
            "wind knot marina yacht lighthouse chart current swell"
        ),
        _split("sail steer moor tack reef drift navigate capsize launch anchor"),
        _split("nautical windward coastal tidal salty calm seaworthy stormy wooden offshore"),
    ),
    "cooking": Vocabulary(
        _split(
            "recipe oven sauce butter flour onion garlic knife simmer dough pastry stew spice kitchen chef broth "
            "vinegar salad pepper roast dish pan menu supper"
        ),
        _split("bake fry stir chop season simmer whisk taste serve knead"),
        _split("delicious crisp tender spicy fresh savoury sweet smoked salted homemade"),
    ),
    "railways": Vocabulary(
        _split(
            "train station track locomotive signal carriage timetable platform tunnel junction engine freight driver "
            "passenger sleeper gauge bridge viaduct depot ticket line conductor branch express"
        ),
        _split("depart arrive haul couple shunt electrify delay stop repair connect"),
        _split("steam electric regional punctual narrow disused overnight scenic crowded mainline"),
    ),
    "astronomy": Vocabulary(
        _split(
            "star planet telescope galaxy orbit comet nebula moon lens spectrum asteroid eclipse satellite "
            "constellation mirror supernova dust gravity meteor dwarf radiation horizon equinox cluster"
        ),
        _split("orbit observe shine collide expand rotate detect photograph calculate glow"),
        _split("stellar lunar solar distant bright faint infrared cosmic planetary massive"),
    ),
    "football": Vocabulary(
        _split(
            "match goal striker keeper penalty league coach stadium referee defender supporter season transfer club "
            "midfielder substitute corner tackle trophy fixture pitch crowd captain draw"
        ),
        _split("score defend tackle pass substitute win lose train sign celebrate"),
        _split("unbeaten professional home away decisive late amateur offside tactical national"),
    ),
    "medicine": Vocabulary(
        _split(
            "patient doctor vaccine symptom hospital nurse infection fever trial dose surgery clinic diagnosis "
            "treatment virus immunity therapy disease heart lung blood tablet ward recovery"
        ),
        _split("treat diagnose prescribe vaccinate recover infect examine heal prevent operate"),
        _split("chronic acute clinical infectious healthy surgical rare mild severe preventive"),
    ),
    "music": Vocabulary(
        _split(
            "concert violin orchestra melody rhythm singer album chord piano drum composer audience rehearsal "
            "symphony guitar festival lyric stage bass score tempo choir recording tune"
        ),
        _split("play compose sing rehearse record perform tune conduct improvise applaud"),
        _split("musical acoustic loud baroque harmonic rhythmic solo popular live orchestral"),
    ),
    "architecture": Vocabulary(
        _split(
            "building facade arch column roof brick architect staircase window tower vault courtyard beam concrete "
            "restoration scaffold plan gallery dome stone cathedral wing foundation terrace"
        ),
        _split("build design restore demolish construct renovate extend plaster carve survey"),
        _split("gothic modern vaulted medieval concrete ornate listed spacious brutalist timber"),
    ),
    "computing": Vocabulary(
        _split(
            "program compiler memory processor database network algorithm keyboard server file bug release "
            "interface thread language library cache query packet kernel disk screen module password"
        ),
        _split("compile debug install execute encrypt store download crash patch search"),
        _split("digital parallel distributed binary random secure recursive open legacy portable"),
    ),
    "travel": Vocabulary(
        _split(
            "hotel island passport guide beach airport luggage village market map visitor tour museum border "
            "mountain trail hostel souvenir ferry valley itinerary coast landscape bus"
        ),
        _split("visit travel explore hike book wander stay cross return photograph"),
        _split("remote touristy foreign exotic cheap picturesque southern crowded unspoilt guided"),
    ),
}
"""The first subject is the one that is crawled for."""

NOUNS = _split(
    "year people way day man thing woman life child world school state family student group country problem hand "
    "part place case week company system question work government number night point home water room mother area "
    "money story fact month lot right study book eye job word business issue side kind head house service friend "
    "father power hour game line end member law car city community name president team minute idea body "
    "information back parent face others level office door health person art war history party result change "
    "morning reason research girl guy moment air teacher force education foot boy age policy process music "
    "market sense nation plan college interest death experience effect use class control care field development "
    "role effort rate society paper position report value table court attention model source tax "
    "leader voice police mind price committee event rule view bank relationship season town road union example "
    "letter surface evidence century meeting region opinion detail expert summer winter newspaper answer"
)
VERBS = _split(
    "find give tell become leave feel bring begin keep hold write stand hear let mean set meet run pay sit speak "
    "lie lead read grow lose fall send build understand draw break spend cut rise drive buy wear choose seek "
    "use work call try ask need help show play move live believe happen include continue change watch follow "
    "stop create allow add open walk offer remember love consider appear wait serve expect remain suggest "
    "raise pass require report decide pull return explain hope develop carry receive agree support produce cover"
)
ADJECTIVES = _split(
    "good new first last long great little own other old right big high different small large next early young "
    "important few public bad same able local sure free low late hard major better economic strong possible "
    "whole real certain common poor natural significant similar hot dead central happy serious ready simple left "
    "physical general environmental financial blue democratic dark various entire close legal religious cold final "
    "main open recent traditional rural quiet careful narrow useful gentle curious ancient steady modest formal"
)
ADVERBS = _split(
    "also however often quickly already almost still rarely perhaps usually together again slowly certainly soon "
    "nearly mostly hardly clearly once instead finally therefore sometimes exactly recently simply probably later"
)
PLACES = _split("in on at near above behind across under beside around towards beyond within along")
JOINTS = _split("and but while because although whereas so until unless after before since when if")
OPENINGS = (
    "According to {person},",
    "In {year},",
    "As {person} of {place} put it,",
    "Near {place},",
    "For the {number} {noun}s involved,",
    "Last {month},",
    "By then,",
    "On the other hand,",
    "What is more,",
    "In practice,",
)
MONTHS = _split("January February March April May June July August September October November December")
SECTIONS = _split("news guides features archive reviews people research places science opinion")
SYLLABLES = _split(
    "ba bel bor bran cal car cor dal dan den dor el fen gal gar hal har hol il ka kel lan lin lor mar mel mon nor "
    "or pel ran ren ros sal sel sten tal tan thor tor ul val ven vor wal wen wil yar zan"
)
ENDINGS = _split(
    "a by den dorf field ford gate ham holm ia ington land ley mere mouth o ov port sen ski son ton wick"
)
