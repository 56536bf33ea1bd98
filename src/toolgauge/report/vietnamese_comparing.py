"""The words of comparisons in Vietnamese. `english_comparing.py` has the same keys and places."""

from __future__ import annotations

__all__ = ["CATALOGUE"]

CATALOGUE: dict[str, str] = {
    "compare.title": "{suite}: so sánh {contenders} trên {cases}",
    "compare.contenders.one": "{number} agent",
    "compare.contenders.many": "{number} agent",
    "compare.left_out": "Số câu hỏi bị bỏ qua vì có agent không có kết quả: {number}.",
    # One line for each pair
    "compare.pair.better": "{second} tốt hơn {first} về {metric}: {figures}.[ {others}.]",
    "compare.pair.worse": "{second} kém hơn {first} về {metric}: {figures}.[ {others}.]",
    "compare.pair.no_evidence": (
        "{second} và {first}: chưa đủ bằng chứng để nói bên nào hơn về {metric}: {figures}.[ {others}.][ {power}.]"
    ),
    "compare.pair.untested": "{second} và {first}: không có dữ liệu để so sánh về {metric}.[ {others}.]",
    "compare.figures": "{second} so với {first}, chênh lệch {difference}[ (KTC 95%: {interval})], p {p}",
    "compare.power.cases": (
        "Với số câu hỏi này, chênh lệch từ {detectable} trở lên mới được phát hiện trong bốn trên năm lần; muốn "
        "xác nhận chênh lệch đang thấy cần thêm khoảng {more} câu hỏi"
    ),
    "compare.power.enough": (
        "Với số câu hỏi này, chênh lệch từ {detectable} trở lên mới được phát hiện trong bốn trên năm lần"
    ),
    "compare.others.better": "tốt hơn về {metrics}",
    "compare.others.worse": "kém hơn về {metrics}",
    "compare.others.no_evidence": "chưa đủ bằng chứng về {metrics}",
    "compare.others": "Ngoài ra: {parts}",
    # Sections
    "compare.section.verdicts": "Số liệu cho phép kết luận gì",
    "compare.section.pair": "{first} (A) và {second} (B)",
    "compare.section.tests": "Kiểm định và cỡ ảnh hưởng",
    "compare.section.power": "Bộ câu hỏi này phát hiện được gì",
    "compare.section.trials": "Nhiều lần thử trên cùng một câu hỏi",
    "compare.section.method": "Cách so sánh",
    "compare.section.notes": "Lưu ý",
    # Columns
    "compare.column.metric": "Chỉ\u00a0số",
    "compare.column.cases": "Số\u00a0câu",
    "compare.column.difference": "B\u00a0-\u00a0A",
    "compare.column.adjusted": "p\u00a0(Holm)",
    "compare.column.verdict": "B\u00a0so với\u00a0A",
    "compare.column.test": "Kiểm\u00a0định",
    "compare.column.p": "p",
    "compare.column.mid_p": "mid-p",
    "compare.column.only": "chỉ\u00a0A\u00a0/ chỉ\u00a0B",
    "compare.column.effect": "Cỡ\u00a0ảnh\u00a0hưởng (KTC\u00a095%)",
    "compare.column.detectable": "Chênh\u00a0lệch nhỏ\u00a0nhất phát\u00a0hiện\u00a0được",
    "compare.column.seen": "Đang\u00a0thấy",
    "compare.column.more": "Số\u00a0câu cần\u00a0thêm",
    "compare.column.agent": "Agent",
    "compare.column.k": "k",
    "compare.column.pass_any": "pass@k",
    "compare.column.pass_all": "pass^k",
    # Metrics as they stand in sentences and tables
    "compare.metric.pass_rate": "tỉ lệ đạt",
    "compare.metric.pass_rate_scored": "tỉ lệ đạt / hoàn thành",
    "compare.metric.accuracy": "accuracy",
    "compare.metric.answer": "câu trả lời đúng",
    "compare.metric.precision": "precision",
    "compare.metric.recall": "recall",
    "compare.metric.f1": "F1",
    "compare.metric.score": "điểm",
    "compare.metric.latency": "độ trễ, ms",
    "compare.metric.tool_fail_rate": "tỉ lệ lỗi công cụ",
    "compare.metric.tool_fail_rate_published": "tỉ lệ lỗi đã công bố",
    "compare.metric.call_precision": "precision lời gọi",
    "compare.metric.call_recall": "recall lời gọi",
    "compare.metric.param_accuracy": "độ khớp tham số",
    "compare.metric.content": "nội dung",
    "compare.metric.ambiguous_rate": "câu trả lời không rõ ràng",
    "compare.metric.redundant_rate": "gọi lặp",
    "compare.metric.unknown_tool_rate": "công cụ lạ",
    "compare.metric.schema_error_rate": "sai schema",
    "compare.metric.ungrounded_rate": "thiếu căn cứ",
    "compare.metric.calls": "số lời gọi",
    "compare.metric.tokens": "số token",
    "compare.metric.cost": "chi phí, USD",
    "compare.metric.requests": "số yêu cầu tới mô hình",
    "compare.metric.planned_calls": "số lời gọi theo kế hoạch",
    "compare.metric.rounds": "số vòng",
    "compare.metric.handoffs": "số lần giao việc",
    "compare.metric.judge": "ý\u00a0kiến mô\u00a0hình chấm",
    # Cells
    "compare.verdict.better": "tốt hơn",
    "compare.verdict.worse": "kém hơn",
    "compare.verdict.no_evidence": "chưa rõ",
    "compare.verdict.untested": "không xét",
    "compare.test.mcnemar": "McNemar chính xác",
    "compare.test.permutation": "hoán vị, đếm hết",
    "compare.test.permutation_drawn": "hoán vị, lấy mẫu",
    "compare.interval": "{low} đến {high}",
    "compare.odds": "OR {value} ({low}–{high})",
    "compare.standardised": "d {value}",
    "compare.infinite": "∞",
    "compare.enough": "không cần",
    "compare.no_limit": "khó đạt",
    # Trials
    "compare.trials": (
        "{agent}: {flaky}/{cases} câu hỏi có nhiều lần thử chỉ đạt ở một số lần; xác suất hai lần thử của cùng một "
        "câu cho kết quả khác nhau là {flakiness}.[ Thất thường nhất: {examples}.]"
    ),
    # Method
    "compare.method.paired": (
        "Các agent được so sánh trên cùng các câu hỏi; A là agent nêu trước. Chỉ nói B tốt hơn hoặc kém hơn khi "
        "giá trị p sau hiệu chỉnh Holm cho mọi cặp không quá 0.05. Chưa đủ bằng chứng không có nghĩa là hai bên "
        "ngang nhau."
    ),
    "compare.method.mcnemar": (
        "Các tỉ lệ với một lần thử mỗi câu: kiểm định McNemar chính xác trên những câu chỉ một trong hai bên đạt; "
        "kèm theo mid-p, vốn ít thận trọng hơn. OR là tỉ số chênh (odds ratio) của những câu đó. Khoảng tin cậy "
        "của chênh lệch: phương pháp score của Tango."
    ),
    "compare.method.permutation": (
        "Các chỉ số còn lại: kiểm định hoán vị theo cặp, tráo A và B theo từng câu hỏi cùng mọi lần thử của câu "
        "đó; đếm hết mọi cách tráo, hoặc lấy mẫu 9999 cách từ một hạt giống cố định. F1 được gộp trên mọi câu; với "
        "chỉ số có mẫu số khác nhau giữa hai bên như precision thì tráo phần đóng góp của từng câu. Khoảng tin "
        "cậy: phương pháp delta theo câu hỏi với phân phối t của Student. d là chênh lệch trung bình chia cho độ "
        "lệch chuẩn (Cohen)."
    ),
    "compare.method.bootstrap": (
        "Khoảng tin cậy ở đây: bootstrap {resamples} lần, lấy mẫu lại nguyên câu hỏi trong từng nhóm (BCa), từ một "
        "hạt giống cố định."
    ),
    "compare.method.power": (
        "Khả năng phát hiện: chênh lệch nhỏ nhất đạt p ≤ 0.05 trong bốn trên năm lần, với số câu hỏi và độ phân "
        "tán như ở đây; và số câu hỏi cần thêm để xác nhận chênh lệch đang thấy."
    ),
    "compare.method.metrics": (
        "Các chỉ số được kiểm định song song, không hiệu chỉnh giữa các chỉ số: kết luận dựa vào {metric}."
    ),
    # Notes
    "compare.note.forced": "{first} và {second} khác nhau nhưng vẫn được ghép cặp: {what}.",
    "compare.mismatch.only": "chỉ có ở {run}: {cases}",
    "compare.mismatch.changed": "kỳ vọng hoặc câu hỏi khác nhau ở {cases}",
    "compare.mismatch.tools": "công cụ khác nhau: {tools}",
    "compare.mismatch.settings": "trọng số hoặc ngưỡng khác nhau",
    "compare.mismatch.scoring": "chấm theo phiên bản quy tắc {first} và {second}",
}
