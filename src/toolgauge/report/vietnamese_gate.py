"""The words of the gate in Vietnamese. `english_gate.py` has the same keys and places."""

from __future__ import annotations

__all__ = ["CATALOGUE"]

CATALOGUE: dict[str, str] = {
    "gate.title.passed": "✓ Đạt yêu cầu: {suite}",
    "gate.title.failed": "✗ Không đạt yêu cầu: {suite}",
    "gate.title.inconclusive": "? Chưa kết luận được: {suite}",
    "gate.incomplete": "Đợt chạy chưa đầy đủ: {count} lượt trong kế hoạch chưa chạy, được tính là không đạt.",
    "gate.section.checks": "Các tiêu chí",
    "gate.section.failures": "Các câu không đạt",
    "gate.section.flaky": "Các câu có kết quả không ổn định",
    "gate.column.check": "Tiêu\u00a0chí",
    "gate.column.value": "Đo\u00a0được",
    "gate.column.result": "Kết\u00a0luận",
    "gate.ruling.passed": "đạt",
    "gate.ruling.failed": "KHÔNG ĐẠT",
    "gate.ruling.inconclusive": "chưa rõ",
    "gate.check.minimum": "{metric} ≥ {limit}",
    "gate.check.maximum": "{metric} ≤ {limit}",
    "gate.check.no_regression": "{metric}: kém đi ≤ {limit}",
    "gate.check.must_pass": "các câu bắt buộc phải đạt",
    "gate.check.no_flaky": "không có câu nào thiếu ổn định",
    "gate.value.of": "{number}/{total}",
    "gate.missing": "{agent}: {check}: không có gì để đo ({reason}) nên tiêu chí này không đạt.",
    "gate.broken.must_pass": "{agent}: bắt buộc phải đạt nhưng không đạt: {cases}.",
    "gate.broken.no_flaky": "{agent}: lúc đạt lúc không: {cases}.",
    "gate.baseline": "So với đợt chạy mốc (baseline) {baseline}, ghép cặp theo từng câu hỏi.",
    "gate.compared": "{agent}: {metric} trước là {before}, nay là {now}, tính trên {cases} có trong cả hai đợt chạy.",
    "gate.lost": "{agent}: các câu đạt nhiều hơn trong đợt chạy mốc: {cases}.",
    "gate.inconclusive": (
        "{agent}: {metric}: chênh lệch nằm trong khoảng từ {low} đến {high}, nên chưa thể loại trừ mà cũng chưa thể "
        "khẳng định là kém đi quá {limit}.[ Cần khoảng {needed} câu hỏi để kết luận về mức chênh lệch như vậy.]"
    ),
    "gate.no_pairs": "{agent}: {metric}: hai đợt chạy không có gì chung để so sánh ({reason}).",
    "gate.failure": "{case} · {agent}[ · lần thử {trial}]: {state}[, điểm {score}][: {issues}]",
    "gate.low_score": "điểm thấp hơn ngưỡng",
    "gate.flaky": "{case} · {agent}: đạt {passed}/{trials} lần thử",
    "gate.no_flaky": "Không có câu nào lúc đạt lúc không.",
    "gate.annotation.case": "{case} ({agent})",
    "gate.annotation.check": "toolgauge gate: {ruling}",
}
