"""A bench report on the other origin: without cookies, without the network, with no script but its own."""

from honeyguide.dashboard.crawls import Crawls, NotFound
from honeyguide.dashboard.report_files import find_reports, script_hashes

PLACE = "~reports"
"""Stands where the name of a crawl stands in the addresses of snapshots."""


def framed_report(crawls: Crawls, number: int) -> tuple[bytes, str]:
    """The report with this number, and a policy that lets it do nothing but be looked at."""
    for report in find_reports(crawls.root):
        if report.number == number:
            page = report.read()
            return page, policy(page)
    raise NotFound("There is no such report here.")


def policy(page: bytes) -> str:
    """What a report may do: nothing is fetched, and only what stands in it may run, in an origin of its own."""
    scripts = " ".join(script_hashes(page)) or "'none'"
    return (
        f"sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src {scripts}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
