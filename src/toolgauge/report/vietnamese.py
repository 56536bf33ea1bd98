"""The words of reports in Vietnamese. `english.py` has the same keys and places.

Names that Vietnamese engineers use in English (Accuracy, Precision, Recall, F1, agent) stay in English. Titles
of columns may be broken between words; inside a word of two syllables the space is a fixed one.
"""

from __future__ import annotations

__all__ = ["CATALOGUE"]

CATALOGUE: dict[str, str] = {
    # The opening
    "title": "{suite}: {cases}, {agents}",
    "cases.one": "{number} câu hỏi",
    "cases.many": "{number} câu hỏi",
    "agents.one": "{number} agent",
    "agents.many": "{number} agent",
    "counts": "Kế hoạch {planned} lượt = {parts}",
    "state.passed": "đạt",
    "state.failed": "không đạt",
    "state.completed": "hoàn thành",
    "state.error": "lỗi",
    "state.timeout": "quá thời gian",
    "state.limit": "vượt giới hạn",
    "state.cancelled": "bị hủy",
    "state.not_run": "chưa chạy",
    "none": "không có",
    "all": "tất cả",
    "unlabelled": "(không có)",
    "label.difficulty": "Độ\u00a0khó",
    "more": "và {number} mục khác",
    # Sections
    "section.choice": "Chọn công cụ",
    "section.verdicts": "Câu đạt",
    "section.parts": "Điểm và các thành phần",
    "section.faults": "Lời gọi lỗi và lời gọi thừa",
    "section.amounts": "Thời gian và chi phí",
    "section.tools": "Theo từng công cụ",
    "section.confusion": "Công cụ bị gọi nhầm",
    "section.facts": "Thông tin ground truth",
    "section.method": "Cách tính các chỉ số",
    "section.notes": "Lưu ý",
    "section.cases": "Từng câu hỏi",
    "section.failures": "Các câu không đạt",
    # Columns
    "column.agent": "Agent",
    "column.n": "n",
    "column.accuracy": "Accuracy",
    "column.interval": "KTC\u00a095%",
    "column.precision": "Precision",
    "column.recall": "Recall",
    "column.f1": "F1",
    "column.pass_rate": "Đạt / kế\u00a0hoạch",
    "column.pass_rate_scored": "Đạt / hoàn\u00a0thành",
    "column.score": "Điểm",
    "column.call_precision": "Precision lời\u00a0gọi",
    "column.call_recall": "Recall lời\u00a0gọi",
    "column.param_accuracy": "Độ\u00a0khớp tham\u00a0số",
    "column.content": "Nội\u00a0dung",
    "column.answer": "Câu trả\u00a0lời",
    "column.ambiguous_rate": "Câu trả\u00a0lời không rõ\u00a0ràng",
    "column.judge": "Ý\u00a0kiến mô\u00a0hình chấm",
    "column.tool_fail_rate": "Tỉ\u00a0lệ lỗi công\u00a0cụ",
    "column.tool_fail_rate_published": "Theo công\u00a0thức đã công\u00a0bố",
    "column.redundant_rate": "Gọi\u00a0lặp",
    "column.unknown_tool_rate": "Công\u00a0cụ lạ",
    "column.schema_error_rate": "Sai\u00a0schema",
    "column.ungrounded_rate": "Thiếu căn\u00a0cứ",
    "column.quantity": "Đại lượng",
    "column.mean": "trung\u00a0bình",
    "column.p50": "p50",
    "column.p95": "p95",
    "column.tool": "Công\u00a0cụ",
    "column.expected": "Kỳ\u00a0vọng",
    "column.called": "Đã\u00a0gọi",
    "column.right": "Đúng",
    "column.missed": "Thiếu",
    "column.superfluous": "Thừa",
    "column.failed": "Lỗi",
    "column.expected_tool": "Công\u00a0cụ kỳ\u00a0vọng",
    "column.called_tool": "Công\u00a0cụ đã\u00a0gọi",
    "column.count": "Số\u00a0lần",
    "column.questions": "Số\u00a0câu\u00a0hỏi",
    "column.case": "Câu\u00a0hỏi",
    "column.result": "Kết\u00a0quả",
    "column.issues": "Lỗi",
    "column.actual": "Thực\u00a0tế",
    "column.mark": "Dấu",
    "quantity.latency": "Độ trễ, ms",
    "quantity.calls": "Số lời gọi",
    "quantity.planned_calls": "Số lời gọi theo kế hoạch",
    "quantity.rounds": "Số vòng",
    "quantity.handoffs": "Số lần giao việc",
    "quantity.requests": "Số yêu cầu tới mô hình",
    "quantity.tokens": "Số token",
    "quantity.cost": "Chi phí, USD",
    "missing": "Không có giá trị: {reasons}",
    "reason: no case says anything about tools": "không câu hỏi nào nêu kỳ vọng về công cụ",
    "reason: no calls were made": "không có lời gọi nào",
    "reason: nothing was measured": "không có gì để đo",
    "reason: no tool was called with success": "không công cụ nào được gọi thành công",
    "reason: no tool was expected": "không có công cụ nào được kỳ vọng",
    "reason: no call was successful": "không có lời gọi nào thành công",
    "reason: nothing was planned": "kế hoạch trống",
    "reason: nothing completed": "không có lượt chạy nào hoàn thành",
    "reason: no typed answer was scored": "không có câu trả lời nào được chấm theo kiểu dữ liệu",
    "reason: no typed answer was read": "không có câu trả lời nào được đọc theo kiểu dữ liệu",
    "reason: the suite defines no tools, or no calls were made": "không khai báo công cụ, hoặc không có lời gọi nào",
    "reason: the suite defines no tools": "bộ câu hỏi không khai báo công cụ nào",
    "reason: not recorded": "không được ghi lại",
    "reason: this version does not score typed answers": "phiên bản này chưa chấm câu trả lời theo kiểu dữ liệu",
    "reason: not scored": "chưa được chấm",
    "reason: no judge was asked": "không hỏi mô hình chấm nào",
    "reason: nothing was planned ahead": "không có kế hoạch lập trước",
    "reason: there were no rounds": "không có vòng nào",
    "reason: nothing was handed over": "không có lần giao việc nào",
    # Ground truth
    "facts.cases": "Số câu hỏi: {number}",
    "facts.groups": "Số câu theo {label}: {groups}",
    "facts.tools": "Số công cụ được dùng trong ground truth: {number}",
    "facts.no_tools": "Không câu hỏi nào cần đến công cụ.",
    # Method
    "method.sets": (
        "Với mỗi câu hỏi, E là tập công cụ kỳ vọng, A là tập công cụ được gọi thành công. Cộng dồn trên mọi câu: "
        "TP = |E∩A|, FP = |A−E|, FN = |E−A|."
    ),
    "method.accuracy": "Accuracy: số câu có A = E / số câu có nêu kỳ vọng về công cụ.",
    "method.f1": (
        "Precision (độ chuẩn xác) = TP / (TP + FP). Recall (độ phủ) = TP / (TP + FN). F1 = 2TP / (2TP + FP + FN)."
    ),
    "method.tool_fail_rate": (
        "Tỉ lệ lỗi công cụ (tool fail rate): số câu có lời gọi lỗi / số câu có gọi công cụ. Theo công thức đã công "
        "bố: số câu vừa có lời gọi lỗi vừa có lời gọi thành công / số câu có lời gọi thành công."
    ),
    "method.calls": (
        "Precision lời gọi: số lời gọi đáp ứng một kỳ vọng / số lời gọi. Recall lời gọi: số kỳ vọng bắt buộc được "
        "đáp ứng / số kỳ vọng bắt buộc. Độ khớp tham số: tham số của các lời gọi kỳ vọng khớp đến đâu. Cả ba đều là "
        "trung bình theo câu hỏi."
    ),
    "method.score": (
        "Điểm: {call_precision} × precision lời gọi + {call_recall} × recall lời gọi + {param_accuracy} × độ khớp "
        "tham số + {content} × nội dung (tỉ lệ từ khóa bắt buộc có mặt trong câu trả lời)."
    ),
    "method.passed": (
        "Đạt: chạy hoàn thành, điểm ≥ {threshold} và không mắc lỗi nào khiến câu bị đánh trượt. Tỉ lệ đạt chia cho "
        "tổng số lượt trong kế hoạch."
    ),
    "method.intervals": (
        "KTC 95% là khoảng tin cậy 95%: phương pháp Wilson cho các tỉ lệ, phương pháp delta cho các chỉ số còn lại. "
        "“Không có” nghĩa là không có dữ liệu để tính."
    ),
    # Notes
    "note.fail_rate_published": "Công thức đã công bố bỏ qua những câu mà mọi lời gọi đều lỗi: {parts}.",
    "note.fail_rate_published.part": (
        "{agent}[, {group}]: ở đây {failed}/{with_calls} câu, theo công thức đã công bố "
        "{published_failed}/{published_with_calls} câu"
    ),
    "note.not_run": "{agent}: số câu chưa chạy: {count}[ ({names})].",
    "note.unmatched": "Số lượt ghi lại không khớp với câu hỏi nào nên không được tính: {count}[ ({names})].",
    "note.several_trials": (
        "Mỗi câu hỏi có tối đa {trials} lần thử. Lần nào cũng được tính; khoảng tin cậy được tính theo cụm câu hỏi."
    ),
    "note.answers_not_scored": "Số câu trả lời có thể hiểu theo hai cách nên không chấm: {count}.",
    "note.judge": (
        "Ý kiến mô hình chấm: trung bình đánh giá của một mô hình ngôn ngữ về {count} câu trả lời theo tiêu chí của "
        "từng câu hỏi. Đây chỉ là ý kiến, không tính vào điểm và kết quả đạt."
    ),
    # Single cases
    "case.title": "{case} · {agent}[ · lần thử {trial}]",
    "case.verdict": "{state}[, điểm {score}]",
    "case.measures": (
        "precision lời gọi {call_precision}, recall lời gọi {call_recall}, độ khớp tham số {param_accuracy}, nội dung "
        "{content}"
    ),
    "case.question": "Câu hỏi: {text}",
    "case.labels": "Nhãn: {labels}",
    "case.required": "Câu trả lời phải chứa: {texts}",
    "case.output": "Câu trả lời cuối: {text}",
    "case.no_output": "Không có câu trả lời cuối.",
    "case.judge": "Ý kiến của {model}: {score}[, {reason}]",
    "case.no_judge": "Không có ý kiến của {model}: {reason}",
    "case.answer": "Đáp án: {verdict}[, tìm thấy {found}][, kỳ vọng {want}][ ({reason})]",
    "case.failing": "✗ {text}",
    "case.not_seen": "Chưa có lượt chạy nào cho câu hỏi này.",
    "case.none_failed": "Mọi câu hỏi đều đạt.",
    "case.legend": (
        "Ký hiệu: = khớp, ~ có tham số không khớp, - thiếu lời gọi, + gọi thừa, ! lời gọi lỗi, · không bị trừ điểm "
        "(tùy chọn hoặc trung tính); ✗ lỗi khiến câu không đạt."
    ),
    "answer.right": "đúng",
    "answer.wrong": "sai",
    "answer.ambiguous": "không rõ ràng",
    "answer.unscored": "chưa được chấm",
    "side.unsaid": "(không nêu kỳ vọng về công cụ)",
    "side.no_tool": "(không được gọi công cụ nào)",
    "side.no_calls": "(không có lời gọi)",
    "side.unknown_arguments": "không ghi lại tham số",
    "side.without": "không có {names}",
    "side.optional": "tùy chọn",
    "side.times": "{tool} ×{number}",
    # Values that are not literal
    "value.any": "giá trị bất kỳ",
    "value.some": "một giá trị nào đó",
    "value.one_of": "một trong {options}",
    "value.default": "{value} hoặc không truyền",
    "value.contains": "giá trị có chứa {value}",
    "value.range": "giá trị từ {low} đến {high}",
    "value.at_least": "giá trị từ {low} trở đi",
    "value.at_most": "giá trị không quá {high}",
    "value.date": "mốc thời gian {value}",
    "value.set": "{value} theo thứ tự bất kỳ",
    "value.items": "danh sách mà mỗi phần tử là {value}",
    "value.partial": "đối tượng có ít nhất {value}",
    "value.schema": "giá trị đúng schema {value}",
    "precision.year": "chỉ xét năm",
    "precision.month": "chỉ xét tháng và năm",
    "precision.day": "xét đến ngày",
    "value.regex": "chuỗi khớp với {value}",
    "value.approx": "xấp xỉ {value}",
    "value.not": "không phải {value}",
    "value.absent": "không truyền tham số này",
    "value.from": "giá trị lấy từ kết quả trước đó của {value}",
    "value.bfcl": "giá trị được BFCL chấp nhận theo {value}",
    # Issues
    "issue.missing_call": "không gọi {tool}[({want})] như kỳ vọng",
    "issue.unexpected_call": "[#{call} ]{tool}: lời gọi thừa",
    "issue.duplicate_call": "[#{call} ]{tool}: lặp lại một lời gọi giống hệt[, #{got}]",
    "issue.forbidden_tool": "[#{call} ]{tool}: công cụ bị cấm gọi",
    "issue.unknown_tool": "[#{call} ]{tool}: công cụ chưa được khai báo",
    "issue.wrong_order": "[#{call} ]{tool}: gọi quá sớm[, phải gọi {want} trước]",
    "issue.missing_arg": "{tool}: thiếu tham số {argument}[, kỳ vọng {want}]",
    "issue.wrong_arg": "{tool}: tham số {argument} là {got}, kỳ vọng {want}",
    "issue.forbidden_arg": "{tool}: không được truyền tham số {argument}[, nhưng đã truyền {got}]",
    "issue.invalid_arg": "{tool}: tham số {argument} là {got}[, chỉ chấp nhận {want}]",
    "issue.schema_error": "[#{call} ]{tool}: [tham số {argument} ]không đúng schema[: {want}]",
    "issue.ungrounded_arg": "{tool}: tham số {argument}[ là {got},] không có căn cứ",
    "issue.tool_error": "[#{call} ]{tool} bị lỗi[: {got}]",
    "issue.unrecovered_error": "[#{call} ]{tool} bị lỗi và sau đó không gọi lại thành công[: {got}]",
    "issue.too_many_calls": "đã gọi {got} lần[, vượt mức cho phép {want}]",
    "issue.over_latency": "mất {got} ms[, vượt mức cho phép {want} ms]",
    "issue.missing_content": "câu trả lời không chứa {want}",
    "issue.wrong_answer": "câu trả lời sai[: tìm thấy {got}][, kỳ vọng {want}]",
    "issue.agent_error": "agent không hoàn thành[ ({want})][: {got}]",
}
