"""Reports: what `honeyguide bench` has written beneath the folder, opened in a frame on the other origin."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from pydantic import BaseModel

from honeyguide.dashboard.crawls import AllCrawls, NotFound
from honeyguide.dashboard.rendering import render
from honeyguide.dashboard.report_files import ReportFile, find_reports
from honeyguide.dashboard.report_frame import PLACE
from honeyguide.dashboard.snapshots import snapshot_url

pages = APIRouter()
api = APIRouter(tags=["reports"])


class Fact(BaseModel):
    """One thing that a report says it is about."""

    name: str
    value: str


class Report(BaseModel):
    """A bench report: where it lies, when it was written, and what it compares."""

    name: str
    folder: str
    at: float
    size: int
    facts: list[Fact]


@api.get("/reports", summary="Bench reports")
def reports(crawls: AllCrawls) -> list[Report]:
    """The bench reports beneath the folder, the newest first."""
    return [_seen(report) for report in find_reports(crawls.root)]


@api.get("/reports/{name}", summary="One bench report")
def report(crawls: AllCrawls, name: str) -> Report:
    """What a report is about."""
    return _seen(_named(crawls, name))


@pages.get("/reports", response_class=HTMLResponse)
def reports_page(request: Request, crawls: AllCrawls) -> HTMLResponse:
    """The list."""
    return render(request, "reports.html", reports=reports(crawls), report=None, frame="", root=crawls.root)


@pages.get("/reports/{name}", response_class=HTMLResponse)
def report_page(request: Request, crawls: AllCrawls, name: str) -> HTMLResponse:
    """One report in its frame."""
    found = _named(crawls, name)
    frame = snapshot_url(request, PLACE, found.number)
    return render(request, "reports.html", reports=[], report=_seen(found), frame=frame, root=crawls.root)


def _named(crawls: AllCrawls, name: str) -> ReportFile:
    for found in find_reports(crawls.root):
        if found.name == name:
            return found
    raise NotFound("There is no report of this name here.")


def _seen(report: ReportFile) -> Report:
    return Report(
        name=report.name,
        folder=report.folder.encode("utf-8", "replace").decode(),
        at=report.at,
        size=report.size,
        facts=[Fact(name=name, value=value) for name, value in report.facts()],
    )
