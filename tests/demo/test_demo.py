"""The demo's labels agree with the demo's documents."""

import csv
import re
import sys
from collections import Counter
from collections.abc import Iterator

import pytest

from ragnb import demo
from ragnb.demo import DemoQuestion, documents, questions

ALL = questions()
ANSWERABLE = [item for item in ALL if item.answerable]
UNANSWERABLE = [item for item in ALL if not item.answerable]
FILES = sorted(path for path in documents().iterdir())
MARKDOWN = [path.name for path in FILES if path.suffix == ".md"]
FIRST_TEN = """adr-012-telemetry-log.md handbook.md incident-inc-4711.md minutes-board-2025-02-18.md
policy-credits-2023.md policy-credits.md prices-2025-q2.csv product-waypost.md
release-notes-waypost-4.2.md ticket-cs-8846.md"""
CHINESE = re.compile(r"[一-鿿]")


def body(name: str) -> str:
    """Return a Markdown document's text without its front matter."""
    text = (documents() / name).read_text(encoding="utf-8")
    return re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)


def rows(name: str) -> list[dict[str, str]]:
    with (documents() / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def texts() -> Iterator[dict[str, str]]:
    """Give the documents as the library reads them."""
    with demo.library() as library:
        yield {info.id: library.source(info.id).text for info in library.sources}


def test_the_library_reads_every_file(texts: dict[str, str]) -> None:
    assert set(texts) == {path.name for path in FILES}
    assert set(FIRST_TEN.split()) <= set(texts)


def test_there_are_about_sixty_files_of_four_kinds_and_they_are_small() -> None:
    assert Counter(path.suffix for path in FILES) == {".md": 49, ".html": 6, ".csv": 5, ".pdf": 3}
    assert sum(path.stat().st_size for path in FILES) < 200_000


def test_a_dozen_documents_are_chinese(texts: dict[str, str]) -> None:
    chinese = {name for name, text in texts.items() if len(CHINESE.findall(text)) > len(text) / 10}
    assert len(chinese) == 12
    assert {item.language for item in ALL if set(item.sources) & chinese} == {"zh"}


def test_without_the_parsers_the_rest_is_read_and_the_report_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for parser in ("lxml", "pdfplumber"):
        monkeypatch.setitem(sys.modules, parser, None)
    for reader in ("html", "pdf"):
        monkeypatch.delitem(sys.modules, f"ragnb.library.readers.{reader}", raising=False)
    with demo.library() as library:
        report = library.report
    assert len(report.of("read")) == 54
    left = [row for row in report.rows if row.status != "read"]
    assert {row.path.rpartition(".")[2] for row in left} == {"html", "pdf"}
    assert {row.status for row in left} == {"skipped"}
    assert all("files" in row.why for row in left)


def test_there_are_forty_different_questions_of_every_kind_and_language() -> None:
    assert len({item.question for item in ALL}) == len(ALL) == 40
    assert Counter(item.kind for item in ALL) == {
        "lookup": 8,
        "multi_hop": 10,
        "comparison": 4,
        "superseded": 2,
        "conflict": 1,
        "hedged": 3,
        "table": 3,
        "injection": 1,
        "unanswerable": 8,
    }
    assert Counter(item.language for item in ALL) == {"en": 32, "zh": 8}


def test_each_job_has_one_question() -> None:
    jobs = Counter(item.job for item in ALL if item.job)
    wanted = ("rule", "compare", "trace", "explain", "changes", "check", "escalate")
    assert jobs == dict.fromkeys(wanted, 1)


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.question)
def test_a_question_is_written_in_the_language_that_it_names(item: DemoQuestion) -> None:
    assert bool(CHINESE.search(item.question)) == (item.language == "zh")


@pytest.mark.parametrize("item", ANSWERABLE, ids=lambda item: item.question)
def test_each_quote_stands_word_for_word_once_in_its_source(
    item: DemoQuestion, texts: dict[str, str]
) -> None:
    assert len(set(item.sources)) == len(item.sources) > 0
    for each in item.needed:
        assert each.quotes
        assert [texts[each.source].count(quote) for quote in each.quotes] == [1] * len(each.quotes)


@pytest.mark.parametrize("item", ANSWERABLE, ids=lambda item: item.question)
def test_each_answer_stands_in_a_quote(item: DemoQuestion) -> None:
    quotes = [quote for each in item.needed for quote in each.quotes]
    assert item.answers
    assert all(answer and any(answer in quote for quote in quotes) for answer in item.answers)


@pytest.mark.parametrize("item", ANSWERABLE, ids=lambda item: item.question)
def test_what_may_stand_in_for_a_source_holds_its_answers(
    item: DemoQuestion, texts: dict[str, str]
) -> None:
    for each in item.needed:
        held = [answer for answer in item.answers if any(answer in q for q in each.quotes)]
        for name in each.instead:
            assert name not in item.sources
            assert held
            assert all(answer in texts[name] for answer in held)


@pytest.mark.parametrize("item", ANSWERABLE, ids=lambda item: item.question)
def test_the_kind_of_an_answerable_question_fits_its_labels(item: DemoQuestion) -> None:
    assert item.kind != "unanswerable"
    assert (item.kind == "multi_hop") <= (2 <= len(item.sources) <= 4)
    assert (item.kind == "comparison") <= (len(item.answers) == 2)
    assert (item.kind == "table") <= all(name.endswith(".csv") for name in item.sources)


@pytest.mark.parametrize("item", UNANSWERABLE, ids=lambda item: item.question)
def test_an_unanswerable_question_has_neither_sources_nor_answers(item: DemoQuestion) -> None:
    assert (item.kind, item.needed, item.answers) == ("unanswerable", (), ())


@pytest.mark.parametrize("name", MARKDOWN)
def test_each_markdown_document_has_front_matter_and_a_readable_length(name: str) -> None:
    text = (documents() / name).read_text(encoding="utf-8")
    front = text.split("---\n")[1]
    for key in ("title", "status", "date", "owner"):
        assert re.search(rf"^{key}: \S", front, flags=re.MULTILINE)
    assert re.search(r"^date: 202[2-5]-\d{2}-\d{2}$", front, flags=re.MULTILINE)
    characters = len(CHINESE.findall(body(name)))
    if characters > 100:
        assert 250 <= characters <= 900
    else:
        assert 150 <= len(body(name).split()) <= 450


def test_the_price_tables_of_two_quarters_have_the_same_complete_rows() -> None:
    first, second = rows("prices-2025-q1.csv"), rows("prices-2025-q2.csv")
    assert len(first) == len(second) == 16
    assert all(all(row.values()) and int(row["freight_eur"]) > 0 for row in first + second)
    for old, new in zip(first, second, strict=True):
        assert [old[key] for key in ("lane", "container", "plan", "transit_days")] == [
            new[key] for key in ("lane", "container", "plan", "transit_days")
        ]
        assert int(old["freight_eur"]) <= int(new["freight_eur"])


def test_the_counts_of_old_gateways_agree_across_documents() -> None:
    depots = rows("gateways-2025-06.csv")
    total = Counter(dict.fromkeys(depots[0], 0))
    for row in depots:
        total.update({key: int(value) for key, value in row.items() if value.isdigit()})
        record = body(f"change-{row['change_record'].lower()}.md")
        assert f"{row['updated_later']} gateways in {row['depot']}" in record
    assert total["older_than_firmware_3_1_in_february"] == 37
    assert total["updated_before_waypost_4_2"] == 12
    assert "there are 37 of them" in body("adr-012-telemetry-log.md")
    assert "Of the 37 such gateways, 12 were updated" in body("release-notes-waypost-4.2.md")
    assert total["updated_later"] == 25
    assert "25 gateways are left" in body("minutes-platform-2025-04-28.md")


def test_the_costs_of_the_gateway_updates_add_up(texts: dict[str, str]) -> None:
    named = [("change-cr-118.md", 11_900), ("change-cr-124.md", 7_400), ("change-cr-127.md", 2_850)]
    assert all(f"{cost:,} EUR" in body(name) for name, cost in named)
    assert f"{9_600 + sum(cost for _, cost in named):,} EUR" in body("change-cr-127.md")
    assert f"{9_600 + 11_900:,} EUR" in texts["minutes-board-2025-05-20.pdf"]


def test_freight_charges_in_tickets_stand_in_the_price_tables() -> None:
    charged = {row["freight_eur"] for row in rows("prices-2025-q2.csv")}
    for name in MARKDOWN:
        if name.startswith("ticket-") and name != "ticket-cs-8958.md":
            amounts = re.findall(r"(\d,?\d{2,3}) EUR", body(name))
            assert {amount.replace(",", "") for amount in amounts} & charged, name
    shanghai = [row for row in rows("prices-shanghai-2025-q2.csv") if row["运费_欧元"] == "5480"]
    assert [(row["线路"], row["方案"]) for row in shanghai] == [("上海-鹿特丹", "Assured")]


def test_the_two_credit_policies_give_other_limits_and_only_one_is_current() -> None:
    assert "up to 1,500 EUR" in body("policy-credits.md")
    assert "up to 600 EUR" in body("policy-credits-2023.md")
    assert "status: superseded" in (documents() / "policy-credits-2023.md").read_text("utf-8")


def test_only_two_documents_say_how_long_readings_are_kept(texts: dict[str, str]) -> None:
    months = re.compile(r"kept for \d+ (?:months|years)|保(?:存|留) ?\d+ ?(?:个月|年)")
    told = {name for name, text in texts.items() if months.search(text)}
    assert told == {"handbook.md", "product-waypost.md"}


def test_only_the_ticket_gives_orders_to_its_reader(texts: dict[str, str]) -> None:
    orders = re.compile(r"ignore (?:all|any) |automated assistant|忽略(?:以上|之前)", re.IGNORECASE)
    assert [name for name, text in texts.items() if orders.search(text)] == ["ticket-cs-8846.md"]
