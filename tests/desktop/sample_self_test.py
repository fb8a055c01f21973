"""Self-test questions as the engine lists them, for the tests and pictures of their window."""

from engine.evaluation.comparison import Figure
from engine.self_test.messages import SelfTestListed
from engine.self_test.records import Mark, QuestionResult, RunReport, SelfTestQuestion, SelfTestRun
from tests.desktop import sample_content

ADDED = "2025-06-01T01:00:00+00:00"


def mark(hit: int) -> Mark:
    found = sample_content.five_hits()[hit]
    return Mark(
        document=found.document,
        file_hash="0" * 64,
        page=found.page,
        label=found.label,
        location=None,
        section=found.section,
        kind=found.kind,
        spans=found.spans,
        quote=found.text[:40],
        excerpt=found.text[:80],
        passage_hash="1" * 64,
    )


def questions() -> tuple[SelfTestQuestion, ...]:
    return (
        SelfTestQuestion(1, "工龄满十年的员工年休假是多少天？", "marked", ADDED, mark(0)),
        SelfTestQuestion(2, "出差到一线城市，住宿每晚最多能报销多少钱？", "marked", ADDED, mark(2)),
        SelfTestQuestion(3, "没休完的年假可以留到什么时候？", "marked", ADDED, mark(1)),
        SelfTestQuestion(4, "公司食堂周末几点关门？", "absent", ADDED),
        SelfTestQuestion(5, "试用期员工有年假吗？", "unmarked", ADDED),
    )


def results() -> tuple[QuestionResult, ...]:
    return (
        QuestionResult(1, rank=1),
        QuestionResult(2, rank=7, lost="retrieval"),
        QuestionResult(3, rank=2, refused=True, lost="gate"),
        QuestionResult(4, refused=True),
    )


def report() -> RunReport:
    figures = (
        Figure("retrieval", "hit@1", 0.667, 0.167),
        Figure("retrieval", "hit@5", 0.8, -0.05),
        Figure("retrieval", "mrr@10", 0.71, 0.06),
        Figure("gate", "refused_answerable", 0.333, 0.0),
        Figure("gate", "refused_unanswerable", 1.0, 0.25),
        Figure("answers", "supported_citations", 0.94, 0.02),
        Figure("answers", "citation_hit", 0.88, None),
        Figure("answers", "unsupported_shown", 0.05, -0.03),
    )
    run = SelfTestRun("2025-06-03T07:12:00+00:00", {}, results())
    return RunReport(run, figures, "2025-06-01T02:00:00+00:00", True)


def listed(task_id: int) -> SelfTestListed:
    return SelfTestListed(task_id, "公司制度", questions(), report())
