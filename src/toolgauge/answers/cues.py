"""Words beside a value that say what it is: a change, a comparison, a forecast, a part, an example.

Each role is a row of phrases; they are looked up word by word, so that a long answer costs no more than its length.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from toolgauge.locale import Token, fold_word

__all__ = ["CONTRASTS", "FAMILIES", "Cue", "find_cues", "find_families"]

PHRASES: dict[str, str] = {
    "change": (
        "tăng | giảm | tăng thêm | giảm đi | giảm bớt | cộng thêm | mất | sụt | sụt giảm | nhích | tăng trưởng | hạ | bốc hơi"
        " | chênh lệch | chênh | cách biệt | mức tăng | mức giảm | biến động | thay đổi | thêm | nới rộng | lệch | cải thiện"
        " | up | down | rose | fell | gained | lost | increase | increase of | decrease of | rise of | drop of | gain of"
        " | increased | decreased | dropped | climbed | jumped | slipped | growth | growth of | change | change of"
        " | difference | difference of | gap | gap of | grew | shrank | added | shed | declined | plus | improvement | decline"
        " | decline of | reduction of | swing of | margin of | by | uptick | dip | surge | deviation | raise of | markup"
    ),
    "level": (
        "lên | xuống | còn | lên mức | xuống mức | xuống còn | lên tới | lên đến | đạt | ở mức | ở | đến | thành | về | là | chỉ còn"
        " | to | at | reaching | reach | reached | stands | is | are | was | were | stood | hits | hit | into"
    ),
    "baseline": (
        "so với | so | từ | từ mức | cao hơn | thấp hơn | nhiều hơn | ít hơn | vượt | vượt mức | kém | hơn | thay vì | trước đây"
        " | compared to | compared with | versus | vs | from | against | than | up from | down from | relative to | above | below"
        " | exceeding | exceeds | beating | previously | instead of | over the | ahead of | higher than | lower than | original"
        " | originally | ban đầu | cũ | old | former | rather than | gốc | trước điều chỉnh | was previously | trước đó"
    ),
    "earlier": (
        "hôm qua | hôm trước | tuần trước | tháng trước | quý trước | năm trước | năm ngoái | kỳ trước | cùng kỳ | phiên trước"
        " | lần trước | trước đó | trước đây | mùa trước | đợt trước | ngày trước | tuần qua | niên khóa trước"
        " | yesterday | last week | last month | last quarter | last year | previous | prior | a year earlier | a year ago"
        " | earlier | year before | month before | week before | previous year | last season | last time | formerly"
    ),
    "forecast": (
        "dự báo | dự kiến | dự đoán | kỳ vọng | ước đạt | ước tính | có thể đạt | sẽ | triển vọng | mục tiêu | kế hoạch | dự tính | chỉ tiêu"
        " | hướng tới | tới đây | đề ra"
        " | forecast | forecasts | expected | expects | projected | projection | projections | estimate | estimates | could reach | may reach"
        " | might | outlook | target | targets | targeting | goal | plan | planned | will | guidance | predicted | anticipated"
        " | likely to | budgeted | budget"
    ),
    "part": (
        "trong đó | gồm | bao gồm | gồm có | riêng | trong số đó | trong số này | chiếm | phần còn lại | còn lại | cộng với | kể cả"
        " | of which | of whom | of those | of these | including | includes | consisting of | comprising | made up of | the rest"
        " | accounts for | accounting for | remainder | remaining | among them | breakdown | broken down"
    ),
    "total": (
        "tổng | tổng cộng | tổng số | cả hai | tất cả | toàn bộ | gộp lại | lũy kế | cộng dồn | cộng lại | tính chung"
        " | total | totals | totaling | totalling | altogether | in all | combined | sum | overall | grand total | cumulative"
        " | year to date | together"
    ),
    "example": (
        "ví dụ | chẳng hạn | giả sử | thí dụ | nếu | giả định | tỷ như | minh họa"
        " | for example | for instance | e . g | eg | suppose | assuming | if | say | hypothetically | imagine | illustration"
    ),
    "hearsay": (
        "một số nguồn | có nguồn | nhiều nguồn | vài nguồn | tin đồn | đồn | có người | nhiều người | có tin | được cho là | theo lời đồn"
        " | báo lá cải | nghe nói | wikipedia | một số trang | một vài trang | một số báo | diễn đàn | trên mạng | hay bị nhầm"
        " | thường bị nhầm | nhiều trang | mạng xã hội | bài viết cũ | bài báo cũ | bản nháp | một số tài liệu | một số bài"
        " | some sources | rumor | rumors | rumour | rumours | rumored | allegedly | reportedly | some people | many people | often cited"
        " | sometimes cited | commonly cited | some say | it is said | some sites | a blog | some websites | some articles | popular belief"
        " | widely believed | misreported | forum | forums | social media | often quoted | frequently cited | an older | an old | outdated"
        " | myth | draft | some blogs | some reports | unofficial | sometimes reported | often mistaken | commonly confused"
        " | often confused | misconception | sometimes listed | sometimes given"
    ),
    "conclusion": (
        "vậy | vì vậy | do đó | như vậy | tóm lại | kết luận | vì thế | suy ra | nên | cho nên | vậy là | vậy nên | kết quả là | chốt lại"
        " | nói ngắn gọn | tổng kết | đáp án | câu trả lời | kết quả | nói cách khác | tổng kết lại"
        " | so | therefore | thus | hence | in short | in conclusion | overall | in summary | to sum up | tl ; dr | tldr"
        " | bottom line | conclusion | final | giving | which gives | gives | result | answer | short answer | summary | in total"
    ),
    "correction": (
        "đính chính | xin lỗi | sửa lại | thực ra | thật ra | đúng ra | đúng ra là | chính xác là | thực tế là | thực tế | kiểm tra lại | rà lại"
        " | xem lại | tính lại | nhầm | cập nhật | con số đúng | số đúng | đúng là | nói lại | chính xác hơn | số chính thức | xem kỹ"
        " | actually | correction | sorry | apologies | in fact | to correct | correct figure | corrected | i misread | i made a mistake | let me correct"
        " | on second thought | double checking | rechecking | revised | update | wait | scratch that | correct value | i misspoke"
        " | correct answer | the right | should be | official figure | rather | looking again | more precisely | upon review | to be precise"
        " | my mistake | turns out | in reality | re - checked | the real | the actual | the correct | looking closer"
    ),
    "limit": (
        "tối đa | tối thiểu | ít nhất | nhiều nhất | không quá | mức trần | hạn mức | giới hạn | ngưỡng | trần | sàn | biên độ"
        " | maximum | minimum | at most | at least | limit | cap | threshold | ceiling | no more than | allowance | quota | capacity"
    ),
    "mean": "trung bình | bình quân | average | averages | mean | averaging | typical | typically | thông thường | thường | norm | usual | usually",
    "similar": "tương tự | tham khảo | để so sánh | để tham khảo | for reference | for comparison | by comparison | in comparison | for context",
}
CONTRASTS = frozenset(
    "but however nhưng song although though whereas while yet tuy dù actually actual thực".split()
)
FAMILY_TEXT = """
mua, mua vào, buy, buying, bid, bought, purchase; bán, bán ra, sell, selling, ask, sold, offer
mở cửa, open, opening, opened; đóng cửa, close, closing, closed; cao nhất, high, highest, đỉnh, peak, maximum, tối đa; thấp nhất, low, lowest, đáy, minimum, tối thiểu; trung bình, bình quân, average, mean; trung vị, median; tham chiếu
gộp, gross, trước thuế, before tax, pre - tax, pretax, chưa thuế, chưa gồm thuế, excluding tax, chưa gồm vat, chưa vat, subtotal, tạm tính; ròng, net, sau thuế, after tax, after - tax, đã gồm thuế, including tax, đã gồm vat
doanh thu, revenue, sales, turnover; lợi nhuận, lãi, profit, profits, earnings, income; chi phí, cost, costs, expense, expenses, chi; vốn hóa, capitalization, cap; tài sản, assets; nợ, debt, liabilities; vốn chủ, equity; thuế, tax, taxes; biên, margin
xuất khẩu, export, exports, exported; nhập khẩu, import, imports, imported
một chiều, one - way, one way; khứ hồi, round - trip, round trip, return
người lớn, adult, adults; trẻ em, trẻ, child, children, kids; sinh viên, student, students; người cao tuổi, senior, seniors
nam, male, men, boys; nữ, female, women, girls
nội địa, trong nước, domestic; quốc tế, international, nước ngoài, overseas, foreign
khởi hành, cất cánh, depart, departs, departure, departing, leaves; đến nơi, hạ cánh, arrive, arrives, arrival, landing
bắt đầu, khởi công, start, starts, began, begins, started, starting; kết thúc, hoàn thành, end, ends, ended, finish, finished, completion, completed
nhận phòng, check - in, check in; trả phòng, check - out, check out
ngày thường, weekday, weekdays; cuối tuần, weekend, weekends
ban ngày, daytime; ban đêm, overnight, night, nights, đêm
nhiệt độ, temperature; độ ẩm, humidity; gió, wind; cảm giác, feels
thực tế, actual, actually; kế hoạch, planned, plan, target, budget, budgeted, mục tiêu, dự toán
đặt, ordered, đặt hàng; giao, delivered, shipped, đã giao, xuất kho; trả lại, hoàn, returned, refunded; hủy, cancelled, canceled
tồn kho, tồn, stock, on hand; nhập, received, incoming, nhập kho
ký, signed; hiệu lực, effective; hết hạn, hết hiệu lực, expires, expired, expiry, expiration; gia hạn, renewed, renewal
thành lập, founded, established; niêm yết, listed, ipo; phá sản, dissolved
sinh, born, birth; mất, qua đời, died, death
phát hành, công bố, published, released, release, announced; cập nhật, updated
hợp nhất, consolidated; riêng lẻ, công ty mẹ, standalone, parent
mỗi đêm, per night, một đêm; cả kỳ, total stay
lãi suất, interest; phí, fee, fees; gốc, principal
thắng, won, win, wins; thua, lost, loses, losses, defeats; hòa, drawn, draws, draw
tử vong, deaths, dead, chết, killed; bị thương, injured, injuries; mất tích, missing; nhiễm, infected, cases, ca mắc
đã dùng, used, sử dụng; còn lại, còn, left, remaining, balance, available
chiều dài, dài, length, long; chiều rộng, rộng, width, wide; chiều cao, cao, height, tall; sâu, depth, deep; diện tích, area; chu vi, perimeter
dân số, population; mật độ, density
"""


class Cue(NamedTuple):
    """A phrase that stands at some tokens."""

    role: str
    first: int
    last: int
    """The index behind its last token."""


class _Table(NamedTuple):
    by_first: dict[str, list[tuple[tuple[str, ...], str]]]


def _table(rows: dict[str, str], separator: str) -> _Table:
    by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for role, row in rows.items():
        for phrase in row.split(separator):
            words = tuple(fold_word(word) for word in phrase.split())
            if words:
                by_first.setdefault(words[0], []).append((words, role))
    for phrases in by_first.values():
        phrases.sort(key=lambda one: -len(one[0]))
    return _Table(by_first)


@lru_cache(maxsize=1)
def _roles() -> _Table:
    return _table(PHRASES, " | ")


@lru_cache(maxsize=1)
def FAMILIES() -> _Table:  # noqa: N802
    """The table of words that exclude each other, each named by its family and its place in it."""
    rows: dict[str, str] = {}
    for number, line in enumerate(FAMILY_TEXT.strip().splitlines()):
        for place, words in enumerate(line.split(";")):
            rows[f"{number}.{place}"] = words
    return _table(rows, ",")


def _find(tokens: Sequence[Token], folded: Sequence[str], table: _Table) -> list[Cue]:
    found: list[Cue] = []
    for index, word in enumerate(folded):
        phrases = table.by_first.get(word)
        if phrases is None:
            continue
        taken: set[str] = set()
        for phrase, role in phrases:
            end = index + len(phrase)
            if role not in taken and tuple(folded[index:end]) == phrase:
                taken.add(role)
                found.append(Cue(role, index, end))
    return found


def find_cues(tokens: Sequence[Token], folded: Sequence[str]) -> list[Cue]:
    """The phrases that give a role to what stands beside them, in order."""
    return _find(tokens, folded, _roles())


def find_families(tokens: Sequence[Token], folded: Sequence[str]) -> list[Cue]:
    """The words that exclude others, such as buying and selling: `role` is the family, a stop, and the member."""
    found = _find(tokens, folded, FAMILIES())
    longest = [cue for cue in found if not any(_covers(other, cue) for other in found)]
    return longest


def _covers(other: Cue, cue: Cue) -> bool:
    return other.first <= cue.first and cue.last <= other.last and (other.last - other.first) > (cue.last - cue.first)
