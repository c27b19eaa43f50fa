"""Bench reports: found where they lie, never trusted, and framed with a policy of their own."""

import base64
import hashlib
from pathlib import Path

import pytest
from serving_crawls import HERE, TOKEN, client_of
from starlette.testclient import TestClient

from honeyguide.dashboard.access import Access
from honeyguide.dashboard.app import create_app
from honeyguide.dashboard.report_files import find_reports, script_hashes
from honeyguide.dashboard.report_frame import PLACE, policy
from honeyguide.dashboard.snapshots import create_snapshot_app

SCRIPT = "document.title = 'sorted <b>'"
PAGE = f"""<!DOCTYPE html><html><head><title>Honeyguide bench report</title></head>
<body><h1>Bench report</h1><script>{SCRIPT}</script><img src="https://elsewhere.example/x.png"></body></html>"""


def write_report(folder: Path, page: str = PAGE) -> Path:
    folder.mkdir(parents=True)
    (folder / "report.html").write_text(page)
    (folder / "report.md").write_text("# Bench report\n\n- Protocol: W\n- Contenders: best-first, <script>\n")
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_report(tmp_path / "benches" / "one run")
    write_report(tmp_path / "benches" / "other", PAGE.replace("Honeyguide bench report", "Something else"))
    write_report(tmp_path / "figures" / "hidden")
    return tmp_path


def test_reports_are_found_by_name_and_title(root: Path) -> None:
    (report,) = find_reports(root)
    assert (report.name, report.folder) == ("benches-one-run", "benches/one run")
    assert report.facts() == [("Protocol", "W"), ("Contenders", "best-first, <script>")]


def test_two_folders_that_read_alike_get_two_names(root: Path) -> None:
    write_report(root / "benches-one run")
    assert sorted(report.name for report in find_reports(root)) == ["benches-one-run", "benches-one-run-2"]


def test_links_to_other_folders_and_files_are_not_followed(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = write_report(tmp_path_factory.mktemp("outside") / "secret")
    (root / "linked").symlink_to(outside)
    (root / "near").mkdir()
    (root / "near" / "report.html").symlink_to(outside / "report.html")
    assert [report.name for report in find_reports(root)] == ["benches-one-run"]


def test_the_list_leads_to_the_reports_and_escapes_what_they_say(root: Path) -> None:
    with client_of(root) as client:
        page = client.get("/reports")
        assert "/reports/benches-one-run" in page.text
        assert "<script>," not in page.text
        assert "best-first, &lt;script&gt;" in page.text
        assert client.get("/api/reports").json()[0]["folder"] == "benches/one run"
        assert client.get("/reports/nothing").status_code == 404
        assert client.get("/api/reports/..%2Fetc").status_code == 404


def test_without_reports_it_is_said_how_to_make_one(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        assert "honeyguide bench" in client.get("/reports").text


def test_a_report_may_run_what_it_holds_and_nothing_else() -> None:
    allowed = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    told = policy(PAGE.encode())
    assert f"script-src 'sha256-{allowed}'" in told
    assert "default-src 'none'" in told
    assert "sandbox allow-scripts" in told
    assert "script-src 'none'" in policy(b"<p onclick=alert(1)>no script")
    assert len(script_hashes(b"<script>a</script>" * 50)) == 10


def test_a_report_is_framed_on_the_other_origin_at_a_signed_address_only(root: Path) -> None:
    access = Access(token=TOKEN, snapshot_port=9999)
    app = create_app(root, access=access)
    number = find_reports(root)[0].number
    signature = app.state.signature
    other = TestClient(
        create_snapshot_app(app.state.crawls, access=access, signature=signature), base_url=HERE
    )
    right = f"/{PLACE}/{number}/{signature.of(PLACE, number)}"
    with TestClient(app, base_url=HERE, headers={"authorization": f"Bearer {TOKEN}"}) as client:
        page = client.get("/reports/benches-one-run").text
    assert f"http://127.0.0.1:9999/{PLACE}/{number}/" in page
    assert 'sandbox="allow-scripts"' in page
    shown = other.get(right)
    assert shown.status_code == 200
    assert "Bench report" in shown.text
    assert shown.headers["content-security-policy"] == policy(PAGE.encode())
    assert shown.headers["x-content-type-options"] == "nosniff"
    assert other.get(f"/{PLACE}/{number}/{'0' * 64}").status_code == 404
    assert other.get(f"/{PLACE}/7/{signature.of(PLACE, 7)}").status_code == 404
