"""RFC 9309, section by section: each test is named after what the text says."""

from itertools import pairwise

import pytest

from honeyguide.errors import ErrorKind, FetchError, PageError, Refusal
from honeyguide.fetch.robots import Robots
from honeyguide.model import Response

DAY = 86_400.0
HOST = "https://www.example.com"


class Site:
    """A web of canned answers, a gate that writes down what it is told, and a clock that stands still."""

    def __init__(self, answers: dict[str, Response | Exception] | None = None) -> None:
        self.answers = answers or {}
        self.asked: list[str] = []
        self.slowed: list[tuple[str, float]] = []
        self.now = 1000.0

    async def get(self, url: str) -> Response:
        self.asked.append(url)
        answer = self.answers.get(url, Response(url, 404))
        if isinstance(answer, Exception):
            raise answer
        return answer

    def slow_down(self, host: str, seconds: float) -> None:
        self.slowed.append((host, seconds))

    def back_off(self, host: str, seconds: float) -> None:
        """Rules that cannot be read pause the host; the section at hand does not speak of it."""

    def clock(self) -> float:
        return self.now

    def robots(self, product: str = "honeyguide") -> Robots:
        return Robots(get=self.get, gate=self, product=product, clock=self.clock)

    def serves(
        self, status: int, body: bytes = b"", location: str = "", url: str = f"{HOST}/robots.txt"
    ) -> None:
        headers = (("Location", location),) if location else ()
        self.answers[url] = Response(url, status, headers, body)


async def verdict(robots: Robots, url: str) -> str:
    try:
        await robots.check(url)
    except PageError as error:
        return error.kind
    return "allowed"


async def allowed(text: str | bytes, path: str, product: str = "honeyguide") -> bool:
    site = Site()
    site.serves(200, text.encode() if isinstance(text, str) else text)
    return await verdict(site.robots(product), HOST + path) == "allowed"


def for_all(*lines: str) -> str:
    return "\n".join(("User-agent: *", *lines, ""))


class TestSection21Specification:
    async def test_a_rule_is_a_line_with_a_key_and_a_value(self) -> None:
        assert not await allowed(for_all("Disallow: /private"), "/private")
        assert await allowed(for_all("Disallow /private"), "/private")

    async def test_a_group_is_one_or_more_user_agent_lines_followed_by_rules(self) -> None:
        text = "User-agent: other\nUser-agent: honeyguide\nUser-agent: third\nDisallow: /a\nDisallow: /b\n"
        assert not await allowed(text, "/a")
        assert not await allowed(text, "/b")

    async def test_a_group_is_terminated_by_a_user_agent_line(self) -> None:
        text = "User-agent: honeyguide\nDisallow: /a\nUser-agent: other\nDisallow: /b\n"
        assert not await allowed(text, "/a")
        assert await allowed(text, "/b")

    async def test_a_group_is_terminated_by_the_end_of_the_file_with_or_without_a_line_end(self) -> None:
        assert not await allowed("User-agent: *\nDisallow: /a", "/a")

    async def test_the_last_group_may_have_no_rules_which_allows_everything(self) -> None:
        text = "User-agent: *\nDisallow: /\n\nUser-agent: honeyguide\n"
        assert await allowed(text, "/anything")
        assert not await allowed(text, "/anything", "other")


class TestSection22FormalSyntax:
    @pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\n\n", "\r\r\n"])
    async def test_lines_end_with_cr_or_lf_or_both(self, end: str) -> None:
        text = end.join(("User-agent: *", "Disallow: /a", "Disallow: /b", ""))
        assert not await allowed(text, "/a")
        assert not await allowed(text, "/b")
        assert await allowed(text, "/c")

    @pytest.mark.parametrize("sign", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
    async def test_nothing_else_ends_a_line(self, sign: str) -> None:
        assert await allowed(for_all(f"Allow: /a{sign}Disallow: /"), "/b")

    async def test_blanks_may_stand_before_and_after_the_key_and_before_and_after_the_value(self) -> None:
        assert not await allowed(" \tUser-agent \t:\t * \t\n \tDisallow\t :\t /a \t\n", "/a")

    async def test_no_blank_is_needed_after_the_colon(self) -> None:
        assert not await allowed("User-agent:*\nDisallow:/a\n", "/a")

    async def test_keys_are_read_without_regard_to_case(self) -> None:
        text = "USER-AGENT: *\ndIsAlLoW: /a\nALLOW: /a/b\n"
        assert not await allowed(text, "/a")
        assert await allowed(text, "/a/b")

    async def test_empty_lines_may_stand_anywhere_in_a_group(self) -> None:
        text = "\n\nUser-agent: honeyguide\n\n\nUser-agent: other\n\n\nDisallow: /a\n\n\nDisallow: /b\n"
        assert not await allowed(text, "/a")
        assert not await allowed(text, "/b")

    async def test_comment_lines_may_stand_anywhere_in_a_group(self) -> None:
        text = "# hello\nUser-agent: honeyguide\n# one\nUser-agent: other # two\n # three\nDisallow: /a\n"
        assert not await allowed(text, "/a")

    async def test_an_empty_pattern_disallows_nothing(self) -> None:
        assert await allowed(for_all("Disallow:"), "/a")
        assert await allowed(for_all("Disallow: \t"), "/a")
        assert await allowed(for_all("Disallow: # all is open"), "/a")

    async def test_an_empty_pattern_is_a_rule_and_so_ends_the_heading_of_a_group(self) -> None:
        assert await allowed("User-agent: honeyguide\nDisallow:\nUser-agent: other\nDisallow: /\n", "/a")

    async def test_a_path_pattern_begins_with_a_slash(self) -> None:
        assert await allowed(for_all("Disallow: private"), "/private")
        assert await allowed(for_all("Disallow: https://www.example.com/private"), "/private")


class TestSection221UserAgentLine:
    @pytest.mark.parametrize("name", ["honeyguide", "HoneyGuide", "HONEYGUIDE"])
    async def test_the_product_token_is_matched_without_regard_to_case(self, name: str) -> None:
        text = f"User-agent: {name}\nDisallow: /a\n"
        assert not await allowed(text, "/a")
        assert not await allowed(text, "/a", "HoneyGuide")

    @pytest.mark.parametrize(
        "name", ["honeyguide/1.0", "honeyguide 1.0", "honeyguide # us", "honeyguide (+x)"]
    )
    async def test_the_product_token_ends_where_its_letters_end(self, name: str) -> None:
        assert not await allowed(f"User-agent: {name}\nDisallow: /a\n", "/a")

    @pytest.mark.parametrize(
        "name",
        [
            "honey",
            "guide",
            "honeyguide-news",
            "honeyguide_images",
            "honeyguides",
            "honeyguide2",
            "myhoneyguide",
            "Mozilla/5.0 (compatible; honeyguide)",
            "",
        ],
    )
    async def test_a_token_that_only_resembles_ours_is_not_ours(self, name: str) -> None:
        assert await allowed(f"User-agent: {name}\nDisallow: /a\n", "/a")

    async def test_a_token_may_hold_hyphens_and_underscores(self) -> None:
        text = "User-agent: Example_Bot-News\nDisallow: /a\n"
        assert not await allowed(text, "/a", "example_bot-news")
        assert await allowed(text, "/a", "example_bot")

    async def test_the_groups_that_match_are_combined_into_one(self) -> None:
        text = (
            "user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\n"
            "user-agent: BazBot\ndisallow: /baz\n\n"
            "user-agent: ExampleBot\ndisallow: /qux\n"
        )
        assert [await allowed(text, path, "ExampleBot") for path in ("/foo", "/bar", "/baz", "/qux")] == [
            False,
            False,
            True,
            False,
        ]

    async def test_the_longest_match_is_looked_for_in_the_combined_group(self) -> None:
        text = "user-agent: honeyguide\ndisallow: /a\n\nuser-agent: honeyguide\nallow: /a/b\n"
        assert await allowed(text, "/a/b")
        assert not await allowed(text, "/a/c")

    async def test_groups_for_everybody_are_combined_too(self) -> None:
        text = "User-agent: *\nDisallow: /a\n\nUser-agent: x\nDisallow: /b\n\nUser-agent: *\nDisallow: /c\n"
        assert [await allowed(text, path) for path in ("/a", "/b", "/c")] == [False, True, False]

    async def test_without_a_group_of_its_own_a_crawler_obeys_the_group_for_everybody(self) -> None:
        text = "user-agent: *\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: BazBot\ndisallow: /baz\n"
        assert [await allowed(text, path) for path in ("/foo", "/bar", "/baz")] == [False, False, True]

    async def test_with_a_group_of_its_own_a_crawler_does_not_obey_the_group_for_everybody(self) -> None:
        text = "User-agent: *\nDisallow: /\n\nUser-agent: honeyguide\nDisallow: /a\n"
        assert await allowed(text, "/b")
        assert not await allowed(text, "/a")

    async def test_the_order_of_the_groups_does_not_matter(self) -> None:
        text = "User-agent: honeyguide\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n"
        assert await allowed(text, "/b")

    async def test_a_group_may_be_for_everybody_and_for_one_by_name_at_once(self) -> None:
        text = "User-agent: *\nUser-agent: honeyguide\nDisallow: /a\n"
        assert not await allowed(text, "/a")
        assert not await allowed(text, "/a", "other")

    async def test_if_no_group_matches_no_rules_apply(self) -> None:
        assert await allowed("User-agent: other\nDisallow: /\n", "/a")
        assert await allowed("", "/a")


class TestSection222AllowAndDisallowLines:
    async def test_matching_is_case_sensitive(self) -> None:
        assert await allowed(for_all("Disallow: /Private"), "/private")
        assert not await allowed(for_all("Disallow: /Private"), "/Private")

    async def test_matching_starts_with_the_first_octet_of_the_path(self) -> None:
        assert await allowed(for_all("Disallow: /b"), "/a/b")

    async def test_a_rule_matches_when_its_end_is_reached_before_a_difference(self) -> None:
        text = for_all("Disallow: /fish")
        paths = ("/fish", "/fish.html", "/fish/salmon", "/fishheads?id=1", "/fis", "/catfish", "/?id=fish")
        assert [await allowed(text, path) for path in paths] == [False, False, False, False, True, True, True]

    async def test_the_query_is_part_of_what_is_matched(self) -> None:
        text = for_all("Disallow: /search?q=")
        assert not await allowed(text, "/search?q=bird")
        assert await allowed(text, "/search?p=bird")
        assert await allowed(text, "/search")

    async def test_the_most_specific_match_is_used_whatever_the_order(self) -> None:
        for lines in (("Allow: /a/b", "Disallow: /a"), ("Disallow: /a", "Allow: /a/b")):
            assert await allowed(for_all(*lines), "/a/b/c")
            assert not await allowed(for_all(*lines), "/a/c")

    async def test_the_most_specific_match_is_the_one_with_the_most_octets(self) -> None:
        assert not await allowed(for_all("Allow: /page", "Disallow: /*.html"), "/page.html")
        assert not await allowed(for_all("Allow: /page.", "Disallow: /*.html"), "/page.html")
        assert await allowed(for_all("Allow: /page.h", "Disallow: /*.html"), "/page.html")
        assert await allowed(for_all("Allow: /page.ht", "Disallow: /*.html"), "/page.html")

    async def test_octets_are_counted_after_encoding(self) -> None:
        assert not await allowed(for_all("Disallow: /ツ", "Allow: /*abcd"), "/%E3%83%84abcd")

    async def test_of_equivalent_rules_the_allow_rule_is_used(self) -> None:
        for lines in (("Allow: /a", "Disallow: /a"), ("Disallow: /a", "Allow: /a")):
            assert await allowed(for_all(*lines), "/a")

    async def test_rules_are_equivalent_however_they_are_spelt(self) -> None:
        assert await allowed(for_all("Disallow: /a%3Ab/%7Ec", "Allow: /a:b/~c"), "/a:b/~c")
        assert await allowed(for_all("Disallow: /%e3%83%84", "Allow: /ツ"), "/%E3%83%84")
        assert await allowed(for_all("Disallow: /a?b=c%2Fd", "Allow: /a?b=c/d"), "/a?b=c/d")

    async def test_duplicate_rules_change_nothing(self) -> None:
        assert not await allowed(for_all("Disallow: /a", "Disallow: /a", "Allow: /"), "/a")

    async def test_without_a_match_in_the_group_the_uri_is_allowed(self) -> None:
        assert await allowed(for_all("Disallow: /a", "Allow: /b"), "/c")

    async def test_without_rules_in_the_group_the_uri_is_allowed(self) -> None:
        assert await allowed("User-agent: *\n", "/a")

    async def test_robots_txt_itself_is_allowed_whatever_the_rules(self) -> None:
        site = Site()
        site.serves(200, b"User-agent: *\nDisallow: /\nDisallow: /robots.txt\n")
        assert await verdict(site.robots(), f"{HOST}/robots.txt") == "allowed"
        assert await verdict(site.robots(), f"{HOST}/robots.txt.html") == ErrorKind.ROBOTS
        assert await verdict(site.robots(), f"{HOST}/a/robots.txt") == ErrorKind.ROBOTS

    @pytest.mark.parametrize(
        ("rule", "path"),
        [
            ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
            ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"),
            ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
            ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84"),
            ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
        ],
    )
    async def test_the_table_of_paths_and_what_they_are_matched_as(self, rule: str, path: str) -> None:
        for written, asked in ((rule, path), (path, rule), (rule, rule), (path, path)):
            assert not await allowed(for_all(f"Disallow: {written}"), asked)
            assert await allowed(for_all(f"Disallow: {written}"), asked[:-1])

    async def test_octets_outside_ascii_are_encoded_before_comparison(self) -> None:
        assert not await allowed(for_all("Disallow: /café"), "/caf%C3%A9")
        assert not await allowed(for_all("Disallow: /caf%C3%A9"), "/café")

    async def test_octets_that_end_like_a_blank_in_latin_1_are_kept(self) -> None:
        assert await allowed(for_all("Disallow: /à"), "/%C3")
        assert not await allowed(for_all("Disallow: /à"), "/%C3%A0")

    async def test_the_digits_of_an_escape_compare_without_regard_to_case(self) -> None:
        assert not await allowed(for_all("Disallow: /%e3%83%84"), "/%E3%83%84")
        assert not await allowed(for_all("Disallow: /a%2Fb"), "/a%2fb")

    async def test_an_escaped_unreserved_character_is_unescaped_before_comparison(self) -> None:
        assert not await allowed(for_all("Disallow: /~joe"), "/%7Ejoe")
        assert not await allowed(for_all("Disallow: /%7ejoe"), "/~joe")

    @pytest.mark.parametrize("char", ":@!&'()+,;=[]")
    async def test_a_reserved_character_without_a_meaning_to_paths_equals_its_escape(self, char: str) -> None:
        escape = f"%{ord(char):02X}"
        for place in ("/a{}b", "/a?q={}b"):
            assert not await allowed(for_all("Disallow: " + place.format(char)), place.format(escape))
            assert not await allowed(for_all("Disallow: " + place.format(escape)), place.format(char))

    async def test_an_escaped_slash_or_question_mark_in_a_path_is_not_a_bare_one(self) -> None:
        assert await allowed(for_all("Disallow: /a%2Fb"), "/a/b")
        assert await allowed(for_all("Disallow: /a/b"), "/a%2Fb")
        assert await allowed(for_all("Disallow: /a%3Fb"), "/a?b")
        assert await allowed(for_all("Disallow: /a?b"), "/a%3Fb")

    @pytest.mark.parametrize(
        "written",
        ["/*to=/x/y", "/*to=%2Fx%2Fy", "/*to=%2Fx/y", "/*?to=/x%2Fy", "/go?*/y", "/*/x%2Fy$", "/*%2Fx*%2Fy"],
    )
    @pytest.mark.parametrize("asked", ["/go?to=/x/y", "/go?to=%2Fx%2Fy", "/go?to=%2Fx/y"])
    async def test_in_a_query_they_are_the_same_after_a_wildcard_too(self, written: str, asked: str) -> None:
        assert not await allowed(for_all(f"Disallow: {written}"), asked)

    @pytest.mark.parametrize(
        ("written", "asked"),
        [
            ("/*%2Fx", "/a/x"),
            ("/*%3Fx", "/a?x"),
            ("/*a/b$", "/a%2Fb"),
            ("/*/x%2Fy", "/a/x/y?z=/x%2F"),
            ("/*b%2Fc$", "/b/c"),
        ],
    )
    async def test_in_a_path_they_differ_after_a_wildcard_too(self, written: str, asked: str) -> None:
        assert await allowed(for_all(f"Disallow: {written}"), asked)

    async def test_a_percent_sign_that_escapes_nothing_stands_for_itself(self) -> None:
        assert not await allowed(for_all("Disallow: /100%sure"), "/100%sure")
        assert not await allowed(for_all("Disallow: /100%"), "/100%25")

    async def test_an_escaped_percent_sign_is_not_unescaped_twice(self) -> None:
        assert await allowed(for_all("Disallow: /a%2562"), "/ab")
        assert await allowed(for_all("Disallow: /ab"), "/a%2562")

    async def test_rules_before_the_first_user_agent_line_are_ignored(self) -> None:
        text = "Disallow: /a\nAllow: /b\nUser-agent: *\nDisallow: /b\n"
        assert await allowed(text, "/a")
        assert not await allowed(text, "/b")

    async def test_an_encoding_other_than_utf_8_is_bridged(self) -> None:
        assert not await allowed("User-agent: *\nDisallow: /café\n".encode("latin-1"), "/caf%E9")
        assert not await allowed("User-agent: *\nDisallow: /café\n".encode("utf-16"), "/caf%C3%A9")


class TestSection223SpecialCharacters:
    async def test_a_number_sign_begins_a_comment(self) -> None:
        text = "# allow: /\nUser-agent: * # all\nDisallow: /a#b # comment\n"
        assert not await allowed(text, "/a")
        assert not await allowed(text, "/ac")

    async def test_an_escaped_number_sign_does_not(self) -> None:
        assert await allowed(for_all("Disallow: /a%23b"), "/a")
        assert not await allowed(for_all("Disallow: /a%23b"), "/a%23b")

    async def test_a_dollar_sign_marks_the_end_of_the_pattern(self) -> None:
        text = for_all("Disallow: /", "Allow: /this/path/exactly$")
        paths = ("/this/path/exactly", "/this/path/exactly/", "/this/path/exactly?q", "/this/path")
        assert [await allowed(text, path) for path in paths] == [True, False, False, False]

    async def test_a_dollar_sign_elsewhere_stands_for_itself(self) -> None:
        assert not await allowed(for_all("Disallow: /a$b"), "/a$b")
        assert await allowed(for_all("Disallow: /a$b"), "/a")
        assert await allowed(for_all("Disallow: /a$"), "/a$b")

    async def test_a_star_stands_for_any_number_of_any_characters_even_none(self) -> None:
        text = for_all("Disallow: /", "Allow: /this/*/exactly")
        paths = (
            "/this/path/exactly",
            "/this/a/b/exactly",
            "/this//exactly",
            "/this/exactly",
            "/this/a/exact",
        )
        assert [await allowed(text, path) for path in paths] == [True, True, True, False, False]

    async def test_a_star_reaches_over_the_query(self) -> None:
        text = for_all("Disallow: /*print=1")
        assert not await allowed(text, "/a/b?x=2&print=1")
        assert not await allowed(for_all("Disallow: /*?"), "/a?b")
        assert await allowed(for_all("Disallow: /*?"), "/a")

    async def test_a_star_and_a_dollar_sign_together_match_what_a_path_ends_with(self) -> None:
        text = for_all("Disallow: /*.php$")
        paths = ("/a.php", "/a/b.php", "/.php", "/a.php?b", "/a.php/", "/a.php5", "/a.php.php")
        assert [await allowed(text, path) for path in paths] == [False, False, False, True, True, True, False]

    async def test_the_pieces_between_stars_do_not_overlap(self) -> None:
        assert await allowed(for_all("Disallow: /ab*ba$"), "/aba")
        assert not await allowed(for_all("Disallow: /ab*ba$"), "/abba")
        assert await allowed(for_all("Disallow: /*aa*aa"), "/aaa")
        assert not await allowed(for_all("Disallow: /*aa*aa"), "/aaaa")

    async def test_a_star_at_the_end_changes_nothing_and_many_stars_are_one(self) -> None:
        assert not await allowed(for_all("Disallow: /a*"), "/a")
        assert not await allowed(for_all("Disallow: /a***b"), "/ab")
        assert not await allowed(for_all("Disallow: *"), "/")

    @pytest.mark.parametrize(
        ("rule", "path"),
        [("/path/file-with-a-%2A.html", "/path/file-with-a-*.html"), ("/path/foo-%24", "/path/foo-$")],
    )
    async def test_special_characters_are_matched_verbatim_when_escaped(self, rule: str, path: str) -> None:
        assert not await allowed(for_all(f"Disallow: {rule}"), path)
        assert not await allowed(for_all(f"Disallow: {rule}"), rule)
        assert await allowed(for_all(f"Disallow: {rule}"), path.replace("*", "x").replace("$", ""))


class TestSection224OtherRecords:
    async def test_a_sitemap_record_does_not_end_a_group(self) -> None:
        text = "User-agent: honeyguide\nDisallow: /a\nSitemap: https://www.example.com/s.xml\nDisallow: /b\n"
        assert not await allowed(text, "/b")

    @pytest.mark.parametrize(
        "record", ["Sitemap: https://www.example.com/s.xml", "Crawl-delay: 5", "Host: x", "Ho"]
    )
    async def test_other_records_do_not_part_the_user_agent_lines_of_a_group(self, record: str) -> None:
        text = f"User-agent: honeyguide\n{record}\nUser-agent: other\nDisallow: /a\n"
        assert not await allowed(text, "/a")

    @pytest.mark.parametrize("record", ["Sitemap: /s.xml", "Crawl-delay: 5", "Noindex: /a", "x", ": /", ":"])
    async def test_other_records_do_not_join_what_a_rule_has_parted(self, record: str) -> None:
        text = f"User-agent: honeyguide\nDisallow: /a\n{record}\nUser-agent: other\nDisallow: /b\n"
        assert await allowed(text, "/b")
        assert not await allowed(text, "/a")

    async def test_records_outside_the_protocol_may_be_interpreted_and_misspellings_accepted(self) -> None:
        site = Site()
        site.serves(200, b"Sitemaps: /one.xml\nsite-map: /two.xml\nUser-agent: *\nCrawl delay: 7\n")
        robots = site.robots()
        await robots.check(f"{HOST}/")
        assert robots.sitemaps(f"{HOST}/") == (f"{HOST}/one.xml", f"{HOST}/two.xml")
        assert site.slowed == [("www.example.com", 7.0)]


class TestSection23AccessMethod:
    async def test_the_file_is_at_the_top_of_the_service_and_all_lowercase(self) -> None:
        site = Site()
        await site.robots().check("https://www.example.com:8443/a/b?c#d")
        assert site.asked == ["https://www.example.com:8443/robots.txt"]

    async def test_rules_hold_for_one_scheme_host_and_port_only(self) -> None:
        site = Site()
        site.serves(200, b"User-agent: *\nDisallow: /\n")
        robots = site.robots()
        assert await verdict(robots, f"{HOST}/a") == ErrorKind.ROBOTS
        for other in ("http://www.example.com", "https://example.com", "https://www.example.com:8443"):
            assert await verdict(robots, f"{other}/a") == "allowed"

    async def test_a_byte_order_mark_before_utf_8_is_no_part_of_the_first_line(self) -> None:
        assert not await allowed(b"\xef\xbb\xbfUser-agent: *\nDisallow: /a\n", "/a")


class TestSection2311SuccessfulAccess:
    @pytest.mark.parametrize("status", [200, 203, 206])
    async def test_if_the_file_was_downloaded_its_parseable_rules_are_followed(self, status: int) -> None:
        site = Site()
        site.serves(status, b"User-agent: *\nDisallow: /a\n")
        assert await verdict(site.robots(), f"{HOST}/a") == ErrorKind.ROBOTS
        assert await verdict(site.robots(), f"{HOST}/b") == "allowed"


class TestSection2312Redirects:
    def chain(self, hops: int, status: int = 301) -> Site:
        site = Site()
        stops = [
            f"{HOST}/robots.txt",
            *(f"https://h{number}.example/{number}.txt" for number in range(1, hops + 1)),
        ]
        for stop, target in pairwise(stops):
            site.serves(status, location=target, url=stop)
        site.serves(200, b"User-agent: *\nDisallow: /a\n", url=stops[-1])
        return site

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    async def test_redirects_of_every_kind_are_followed(self, status: int) -> None:
        assert await verdict(self.chain(1, status).robots(), f"{HOST}/a") == ErrorKind.ROBOTS

    async def test_five_redirects_are_followed_even_across_authorities(self) -> None:
        assert await verdict(self.chain(5).robots(), f"{HOST}/a") == ErrorKind.ROBOTS

    async def test_the_rules_are_followed_in_the_context_of_the_initial_authority(self) -> None:
        site = self.chain(1)
        robots = site.robots()
        assert await verdict(robots, f"{HOST}/a") == ErrorKind.ROBOTS
        assert await verdict(robots, "https://h1.example/a") == "allowed"
        assert site.asked[-1] == "https://h1.example/robots.txt"

    async def test_after_more_than_five_redirects_the_file_is_unavailable(self) -> None:
        site = self.chain(6)
        assert await verdict(site.robots(), f"{HOST}/a") == "allowed"
        assert len(site.asked) == 6

    async def test_redirects_in_a_circle_end_soon_and_the_file_is_unavailable(self) -> None:
        site = Site()
        site.serves(302, location="/other.txt")
        site.serves(302, location="/robots.txt", url=f"{HOST}/other.txt")
        assert await verdict(site.robots(), f"{HOST}/a") == "allowed"
        assert len(site.asked) == 2

    @pytest.mark.parametrize(
        "location", ["", "robots.txt", "mailto:me", "http://[", "ftp://h.example/robots.txt"]
    )
    async def test_a_redirect_that_leads_nowhere_leaves_the_file_unavailable(self, location: str) -> None:
        site = Site()
        site.serves(301, location=location)
        assert await verdict(site.robots(), f"{HOST}/a") == "allowed"

    async def test_a_redirect_to_an_error_counts_as_that_error(self) -> None:
        site = self.chain(1)
        site.serves(503, url="https://h1.example/1.txt")
        assert await verdict(site.robots(), f"{HOST}/a") == ErrorKind.ROBOTS_UNREACHABLE


class TestSection2313Unavailable:
    @pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 451, 499])
    async def test_client_errors_allow_access_to_everything(self, status: int) -> None:
        site = Site()
        site.serves(status, b"User-agent: *\nDisallow: /\n")
        assert await verdict(site.robots(), f"{HOST}/a") == "allowed"


class TestSection2314Unreachable:
    @pytest.mark.parametrize("status", [500, 502, 503, 504, 599, 429])
    async def test_server_errors_disallow_everything(self, status: int) -> None:
        site = Site()
        site.serves(status)
        with pytest.raises(FetchError) as caught:
            await site.robots().check(f"{HOST}/a")
        assert caught.value.kind == ErrorKind.ROBOTS_UNREACHABLE
        assert caught.value.status == status
        assert caught.value.transient

    @pytest.mark.parametrize(
        "kind", [ErrorKind.CONNECT, ErrorKind.TIMEOUT, ErrorKind.PROTOCOL, ErrorKind.DNS]
    )
    async def test_network_errors_disallow_everything(self, kind: ErrorKind) -> None:
        site = Site({f"{HOST}/robots.txt": FetchError(kind, "no luck", transient=True)})
        with pytest.raises(FetchError, match="no luck") as caught:
            await site.robots().check(f"{HOST}/a")
        assert caught.value.kind == ErrorKind.ROBOTS_UNREACHABLE
        assert caught.value.transient

    async def test_a_file_read_before_is_not_used_while_it_is_unreachable(self) -> None:
        site = Site()
        site.serves(200, b"User-agent: *\nDisallow: /a\n")
        robots = site.robots()
        assert await verdict(robots, f"{HOST}/b") == "allowed"
        site.serves(503)
        site.now += DAY
        assert await verdict(robots, f"{HOST}/b") == ErrorKind.ROBOTS_UNREACHABLE

    async def test_unreachable_for_thirty_days_is_unavailable(self) -> None:
        site = Site()
        site.serves(503)
        robots = site.robots()
        for _ in range(30):
            assert await verdict(robots, f"{HOST}/a") == ErrorKind.ROBOTS_UNREACHABLE
            site.now += DAY
        assert await verdict(robots, f"{HOST}/a") == "allowed"

    async def test_or_a_cached_copy_is_used_on(self) -> None:
        site = Site()
        site.serves(200, b"User-agent: *\nDisallow: /a\n")
        robots = site.robots()
        await robots.check(f"{HOST}/b")
        site.serves(503)
        site.now += DAY
        assert await verdict(robots, f"{HOST}/b") == ErrorKind.ROBOTS_UNREACHABLE
        site.now += 30 * DAY
        assert await verdict(robots, f"{HOST}/b") == "allowed"
        assert await verdict(robots, f"{HOST}/a") == ErrorKind.ROBOTS


class TestSection2315ParsingErrors:
    async def test_every_line_is_tried_and_the_parseable_ones_are_used(self) -> None:
        text = b"<html>\n\x00\x01\n:::\nUser-agent: *\nDisallow\n%%%\nDisallow: /a\n\xff\xfe\xff\nDisallow: /b\n=\n"
        assert not await allowed(text, "/a")
        assert not await allowed(text, "/b")
        assert await allowed(text, "/c")

    async def test_a_page_of_html_holds_no_rules(self) -> None:
        page = b"<!doctype html>\r\n<title>Not found</title>\r\n<p style='color: red'>User-agent: *</p>\r\n"
        assert await allowed(page + b"<p>Disallow: /</p>\r\n", "/a")


class TestSection24Caching:
    async def test_the_file_is_cached(self) -> None:
        site = Site()
        robots = site.robots()
        for number in range(10):
            await robots.check(f"{HOST}/{number}")
        assert len(site.asked) == 1

    async def test_the_cached_file_is_not_used_for_more_than_a_day(self) -> None:
        site = Site()
        robots = site.robots()
        assert await verdict(robots, f"{HOST}/a") == "allowed"
        site.serves(200, b"User-agent: *\nDisallow: /a\n")
        site.now += DAY - 1
        assert await verdict(robots, f"{HOST}/a") == "allowed"
        site.now += 1
        assert await verdict(robots, f"{HOST}/a") == ErrorKind.ROBOTS


class TestSection25Limits:
    def long(self, octets: int, rule: bytes) -> bytes:
        start = b"User-agent: *\n"
        return start + b"#" * (octets - len(start) - len(rule) - 1) + b"\n" + rule

    async def test_at_least_500_kibibytes_are_parsed(self) -> None:
        assert not await allowed(self.long(500 * 1024, b"Disallow: /a\n"), "/a")

    async def test_what_comes_after_the_limit_is_not_parsed(self) -> None:
        assert await allowed(self.long(500 * 1024, b"Allow: /b\n") + b"Disallow: /a\n", "/a")

    async def test_the_limit_does_not_make_half_a_rule_a_rule(self) -> None:
        assert await allowed(self.long(500 * 1024, b"Disallow: /a") + b"bc\n", "/ax")


class TestSection51SimpleExample:
    TEXT = """
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""

    @pytest.mark.parametrize(
        ("product", "open_paths", "closed_paths"),
        [
            (
                "other",
                "/ /publications/ /publications/a.html /a.gif?b /a.gift",
                "/a.gif /b/c.gif /example/ /example/a",
            ),
            (
                "foobot",
                "/example/page.html /example/allowed.gif",
                "/ /publications/ /example/ /example/a.gif",
            ),
            ("barbot", "/ /a.gif /example/ /publications/", "/example/page.html"),
            ("bazbot", "/ /a.gif /example/ /publications/", "/example/page.html"),
            ("quxbot", "/ /a.gif /example/page.html /publications/", ""),
        ],
    )
    async def test_the_example(self, product: str, open_paths: str, closed_paths: str) -> None:
        for path in open_paths.split():
            assert await allowed(self.TEXT, path, product), path
        for path in closed_paths.split():
            assert not await allowed(self.TEXT, path, product), path

    async def test_publications_are_allowed_but_a_longer_rule_would_win(self) -> None:
        assert await allowed(self.TEXT, "/publications/a.gif")


class TestSection52LongestMatch:
    TEXT = """
User-Agent: foobot
Allow: /example/page/
Disallow: /example/page/disallowed.gif
"""

    async def test_the_longest_match_decides(self) -> None:
        assert not await allowed(self.TEXT, "/example/page/disallowed.gif", "foobot")
        assert await allowed(self.TEXT, "/example/page/disallow.gif", "foobot")
        assert await allowed(self.TEXT, "/example/page/", "foobot")
        assert await allowed(self.TEXT, "/example/page/disallowed.gif", "barbot")


async def test_a_refusal_names_the_rule() -> None:
    site = Site()
    site.serves(200, b"User-agent: *\nDisallow: /private\n")
    with pytest.raises(Refusal, match="Disallow: /private"):
        await site.robots().check(f"{HOST}/private/page")
