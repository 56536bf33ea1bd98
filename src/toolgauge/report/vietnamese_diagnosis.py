"""The words of diagnoses in Vietnamese. `english_diagnosis.py` has the same keys and places."""

from __future__ import annotations

__all__ = ["CATALOGUE"]

CATALOGUE: dict[str, str] = {
    "diagnosis.title": "Phân tích lỗi: {suite}",
    "diagnosis.counts": "{failed}/{trajectories} lượt chạy không đạt[; {not_run} lượt khác chưa chạy].",
    "diagnosis.nothing": "Không phát hiện lỗi nào.",
    "diagnosis.section.groups": "Các nhóm lỗi",
    "diagnosis.section.patterns": "Các kiểu lỗi lặp lại và cách khắc phục",
    "diagnosis.column.group": "Nhóm\u00a0lỗi",
    "diagnosis.column.trajectories": "Số\u00a0lượt mắc\u00a0lỗi",
    "diagnosis.column.failed": "Không\u00a0đạt",
    "diagnosis.column.share": "Trên tổng số không\u00a0đạt",
    "diagnosis.column.first": "Sai đầu\u00a0tiên",
    "group.parameters": "sai tham số",
    "group.wrong_tool": "chọn sai công cụ",
    "group.missing_tool": "bỏ sót công cụ",
    "group.over_calling": "gọi thừa",
    "group.faults": "lỗi của agent và công cụ",
    "group.answers": "câu trả lời sai",
    "pattern.title": "{number}. {name}",
    "pattern.counts": (
        "Nhóm {group}: gặp ở {trajectories} lượt, trong đó {failed} lượt không đạt ({share} tổng số lượt không đạt); "
        "là chỗ sai đầu tiên ở {first} lượt; thường ở lời gọi thứ {step}[; nhiều nhất {most} lần trong một lượt]."
    ),
    "pattern.counts.end": (
        "Nhóm {group}: gặp ở {trajectories} lượt, trong đó {failed} lượt không đạt ({share} tổng số lượt không đạt); "
        "là chỗ sai đầu tiên ở {first} lượt; ở cuối lượt chạy[; nhiều nhất {most} lần trong một lượt]."
    ),
    "pattern.agents": "Theo agent: {parts}",
    "pattern.labels": "Theo {label}: {parts}",
    "pattern.label": "{value}: {count}/{of}",
    "pattern.companions": "Thường đi kèm với: {parts}",
    "pattern.companion": "{name} ({count} lượt, gấp {lift} lần mức ngẫu nhiên)",
    "pattern.example": "{case} ({agent}[, lần thử {trial}])",
    "pattern.example.values": "{case} ({agent}[, lần thử {trial}]): kỳ vọng {want}, nhận được {got}",
    "pattern.example.want": "{case} ({agent}[, lần thử {trial}]): kỳ vọng {want}",
    "pattern.example.got": "{case} ({agent}[, lần thử {trial}]): {got}",
    "pattern.advice": "→ {text}",
    "kind.missing_arg": "{tool}: thiếu tham số {argument}",
    "kind.wrong_arg": "{tool}: tham số {argument} có giá trị sai",
    "kind.forbidden_arg": "{tool}: truyền tham số {argument} dù không được phép",
    "kind.invalid_arg": "{tool}: tham số {argument} có giá trị không được chấp nhận",
    "kind.schema_error": "{tool}: [tham số {argument} ]không đúng schema",
    "kind.ungrounded_arg": "{tool}: tham số {argument} không có căn cứ",
    "kind.missing_call": "không gọi {tool}[ mà gọi nhầm {other}]",
    "kind.unknown_tool": "gọi công cụ không tồn tại {tool}[ thay cho {other}]",
    "kind.forbidden_tool": "gọi công cụ bị cấm {tool}[ thay cho {other}]",
    "kind.wrong_order": "gọi {tool} quá sớm[, trước {other}]",
    "kind.unexpected_call": "gọi {tool} khi không cần",
    "kind.duplicate_call": "gọi lại {tool} với đúng các tham số cũ",
    "kind.too_many_calls": "số lời gọi vượt mức cho phép[, chủ yếu là {tool}]",
    "kind.tool_error": "{tool} bị lỗi nhưng gọi lại thì được",
    "kind.unrecovered_error": "{tool} bị lỗi, không lần gọi lại nào thành công",
    "kind.agent_error": "agent không hoàn thành[ ({state})]",
    "kind.over_latency": "thời gian vượt mức cho phép[, chủ yếu do {tool}]",
    "kind.missing_content": "câu trả lời thiếu nội dung bắt buộc",
    "kind.wrong_answer": "câu trả lời sai",
    "advice.describe_argument": (
        "Mô tả rõ tham số {argument} trong schema của {tool}{undescribed}: ý nghĩa và cách viết[, kèm ví dụ như "
        "{examples}]."
    ),
    "advice.require_argument": (
        "Đặt tham số {argument} là bắt buộc trong schema của {tool}, hoặc nêu rõ khi nào phải truyền[, kèm ví dụ như "
        "{examples}]."
    ),
    "advice.leave_out_argument": (
        "Nêu rõ trong schema của {tool} khi nào không được truyền tham số {argument}{undescribed}, hoặc bỏ hẳn tham số "
        "này."
    ),
    "advice.fix_schema": (
        "Nêu kiểu dữ liệu và định dạng [của tham số {argument} ]trong schema của {tool} kèm ví dụ, và bật chế độ buộc "
        "mô hình tuân thủ schema[; lỗi hay gặp nhất: {detail}]."
    ),
    "advice.ground_argument": (
        "Yêu cầu agent chỉ lấy tham số {argument} của {tool} từ câu hỏi hoặc từ kết quả trước đó, và hỏi lại khi cả "
        "hai đều không có."
    ),
    "advice.tell_apart": (
        "Phân biệt rõ {tool} với {other}: trong mô tả của cả hai công cụ{undescribed}, nêu khi nào dùng công cụ nào và "
        "khi nào không[; {tool} dành cho các câu hỏi về {phrases}]."
    ),
    "advice.rename_tool": (
        "Không có công cụ {tool}: hãy kiểm tra tên công cụ trong chỉ dẫn và ví dụ của agent[; có thể agent muốn gọi "
        "{other}, nên cân nhắc đổi tên công cụ này]."
    ),
    "advice.fence_tool": (
        "Không cấp {tool} cho agent với những câu hỏi như vậy, hoặc nêu trong mô tả khi nào không được dùng[ và rằng "
        "đã có {other} cho việc đó]."
    ),
    "advice.add_triggers": (
        "Nêu trong mô tả của {tool}{undescribed} những câu hỏi nào cần đến công cụ này[, kèm các cụm từ gợi ý như "
        "{phrases}]."
    ),
    "advice.state_order": (
        "Nêu trong mô tả của {tool} việc gì phải làm trước[: {other}], hoặc để {tool} đòi một giá trị mà chỉ lời gọi "
        "đó mới trả về."
    ),
    "advice.stop_calling": (
        "Đặt quy tắc dừng cho agent: khi đã có đủ thông tin mà câu hỏi cần thì trả lời ngay; nêu trong mô tả của "
        "{tool} khi nào không cần gọi."
    ),
    "advice.answer_without": (
        "Cho agent biết những câu hỏi nào trả lời được mà không cần công cụ[, chẳng hạn các câu về {phrases}], và nêu "
        "trong mô tả của {tool} công cụ này không dùng vào việc gì."
    ),
    "advice.break_loop": (
        "Không để agent gọi lại {tool} với đúng các tham số cũ: lưu sẵn kết quả và ngắt vòng lặp sau lời gọi giống hệt "
        "thứ hai."
    ),
    "advice.set_budget": (
        "Đặt giới hạn số lời gọi cho agent[ ({examples})] kèm quy tắc dừng[; trước hết hãy xem {tool}]."
    ),
    "advice.retry_tool": (
        "Cho {tool} tự thử lại với khoảng nghỉ tăng dần ngay bên trong công cụ để agent không gặp các lỗi tạm thời[; "
        "lỗi hay gặp nhất: {detail}]."
    ),
    "advice.recover_tool": (
        "Sửa {tool}, cho thử lại với khoảng nghỉ tăng dần, và để thông báo lỗi nói rõ agent có thể làm gì thay thế[; "
        "lỗi hay gặp nhất: {detail}]."
    ),
    "advice.mend_agent": "Tìm nguyên nhân khiến agent dừng vì lỗi[; lỗi hay gặp nhất: {detail}].",
    "advice.raise_limits": (
        "Kiểm tra xem agent có chạy lòng vòng không; nếu không, hãy nới giới hạn thời gian và số lượt[; lỗi hay gặp "
        "nhất: {detail}]."
    ),
    "advice.speed_up": (
        "Tăng tốc [{tool} ]hoặc gọi đồng thời các công cụ không phụ thuộc nhau[; mức cho phép là {examples} ms]."
    ),
    "advice.state_content": "Yêu cầu trong chỉ dẫn rằng câu trả lời phải có các nội dung bắt buộc[, như {examples}].",
    "advice.mend_answer": (
        "Đối chiếu câu trả lời với kết quả của công cụ: nếu kết quả đúng, hãy yêu cầu trong chỉ dẫn đưa ra đúng giá "
        "trị cần tìm kèm đơn vị."
    ),
    "advice.undescribed": "(hiện chưa nói gì về điều này)",
}
