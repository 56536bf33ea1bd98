"""Words beside a value that say what it is: a change, a comparison, a forecast, a part, an example.

Each role is a row of phrases; they are looked up word by word, so that a long answer costs no more than its length.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from toolgauge.locale import fold_word

__all__ = ["CONTRASTS", "Cue", "find_asked", "find_cues", "find_families", "folded_set"]


def folded_set(words: str) -> frozenset[str]:
    """The words of a text, folded."""
    return frozenset(fold_word(word) for word in words.split())


PHRASES: dict[str, str] = {
    "change": (
        "tăng | giảm | tăng thêm | giảm đi | giảm bớt | bớt | được giảm | cộng thêm | mất | sụt | sụt giảm | nhích"
        " | tăng trưởng | hạ"
        " | bốc hơi"
        " | chênh lệch | chênh | cách biệt | mức tăng | mức giảm | biến động | thay đổi | thêm | nới rộng | lệch"
        " | cải thiện | co lại | thu hẹp"
        " | up | down | rose | fell | gained | lost | increase | increase of | decrease of | rise of | drop of"
        " | gain of"
        " | increased | decreased | dropped | climbed | jumped | slipped | growth | growth of | change | change of"
        " | difference | difference of | gap | gap of | grew | shrank | added | shed | declined | improvement"
        " | decline"
        " | decline of | reduction of | swing of | by | uptick | dip | surge | deviation | raise of | markup | shrank"
        " | shrink | contracted | grow | rise | fall"
    ),
    "difference": (
        "chênh lệch | mức tăng | mức giảm | khoảng cách | mức chênh | tốc độ tăng | difference | gap | spread"
        " | increase of | decrease of | change of"
        " | rise of | drop of | growth of | reduction of | tăng trưởng | within"
    ),
    "level": (
        "makes up | make up | made up | making up | lên | xuống | còn | lên mức | xuống mức | xuống còn | lên tới"
        " | lên đến | đạt | ở mức | ở | đến | thành | về | là | chỉ còn"
        " | to | at | reaching | reach | reached | stands | is | are | was | were | stood | hits | hit | into"
    ),
    "baseline": (
        "so với | so cùng | so năm | so tháng | so quý | so kỳ"
        " | từ mức | thay vì | vượt mức | vượt mốc | vượt | kém | trước điều chỉnh | giá gốc | mốc"
        " | compared to | compared with | versus | vs | against | relative to | exceeding | exceeds | beating"
        " | instead of"
        " | ahead of | higher than | lower than | rather than | was previously | up from | down from"
    ),
    "earlier": (
        "hôm qua | hôm trước | tuần trước | tháng trước | quý trước | năm trước | năm ngoái | kỳ trước | cùng kỳ"
        " | phiên trước"
        " | lần trước | trước đó | trước đây | mùa trước | đợt trước | ngày trước | tuần qua | niên khóa trước"
        " | yesterday | last week | last month | last quarter | last year | previous | prior | a year earlier"
        " | a year ago"
        " | earlier | year before | month before | week before | previous year | last season | last time | formerly"
    ),
    "forecast": (
        "dự báo | dự kiến | dự đoán | kỳ vọng | ước đạt | ước tính | có thể đạt | sẽ | triển vọng | mục tiêu"
        " | kế hoạch | dự tính | chỉ tiêu"
        " | hướng tới | tới đây | đề ra"
        " | forecast | forecasts | expected | expects | projected | projection | projections | estimate | estimates"
        " | could reach | may reach"
        " | might | outlook | target | targets | targeting | goal | plan | planned | will | guidance | predicted"
        " | anticipated"
        " | likely to | budgeted | budget"
    ),
    "part": (
        "trong đó | gồm | bao gồm | gồm có | riêng | trong số đó | trong số này | chiếm | phần còn lại | còn lại"
        " | cộng với | kể cả"
        " | of which | of whom | of those | of these | of them | including | includes | consisting of"
        " | comprising | made up of | the rest"
        " | accounts for | accounting for | remainder | remaining | among them | breakdown | broken down"
    ),
    "total": (
        "tổng | tổng cộng | tổng số | cả hai | cả ba | cả bốn | all three | all four"
        " | tất cả | toàn bộ | gộp lại | lũy kế | cộng dồn | cộng lại | tính chung"
        " | total | totals | totaling | totalling | altogether | in all | combined | sum | overall | grand total"
        " | cumulative"
        " | year to date | together | từ đầu năm | kể từ đầu | so far"
    ),
    "example": (
        "ví dụ | chẳng hạn | giả sử | thí dụ | nếu | giả định | tỷ như | minh họa"
        " | for example | for instance | e . g | eg | suppose | assuming | if | say | hypothetically | imagine"
        " | illustration"
    ),
    "hearsay": (
        "một số nguồn | có nguồn | nhiều nguồn | vài nguồn | tin đồn | đồn | có người | nhiều người | có tin"
        " | được cho là | theo lời đồn"
        " | báo lá cải | nghe nói | wikipedia | một số trang | một vài trang | một số báo | diễn đàn | trên mạng"
        " | hay bị nhầm"
        " | thường bị nhầm | nhiều trang | mạng xã hội | bài viết cũ | bài báo cũ | bản nháp | một số tài liệu"
        " | một số bài"
        " | some sources | rumor | rumors | rumour | rumours | rumored | allegedly | reportedly | some people"
        " | many people | often cited"
        " | sometimes cited | commonly cited | some say | it is said | some sites | a blog | some websites"
        " | some articles | popular belief"
        " | widely believed | misreported | forum | forums | social media | often quoted | frequently cited"
        " | an older | an old | outdated"
        " | myth | draft | some blogs | some reports | unofficial | sometimes reported | often mistaken"
        " | commonly confused"
        " | often confused | misconception | sometimes listed | sometimes given"
    ),
    "conclusion": (
        "vậy | vì vậy | do đó | như vậy | tóm lại | kết luận | vì thế | suy ra | cho nên | vậy là | vậy nên"
        " | kết quả là | chốt lại"
        " | nói ngắn gọn | tổng kết | đáp án | câu trả lời | kết quả : | , nên | nói cách khác | tổng kết lại"
        " | so | therefore | thus | hence | in short | in conclusion | overall | in summary | to sum up | tl ; dr"
        " | tldr"
        " | bottom line | conclusion | final figure | final answer | giving | which gives | gives | result :"
        " | answer | short answer"
        " | summary | in total"
    ),
    "soft correction": "actually | thực ra | thật ra | in fact | thực tế | in reality | turns out | đúng ra",
    "current": (
        "hiện | hiện tại | hiện nay | nay | bây giờ | now | currently | today | at present | mới nhất | new | latest"
        " | in force | current | đang áp dụng"
    ),
    "arithmetic": (
        "cộng với | cộng thêm | trừ đi | nhân với | chia cho | add | adding | subtract | multiply | divide | minus"
    ),
    "exactly": (
        "cụ thể | cụ thể là | chính xác | chính xác là | exactly | specifically | precisely | namely | to be exact"
    ),
    "result": (
        "to get | equals | equal | bằng | comes to | come to | works out to | gives | makes it | cho ra | tức là"
        " | tức | nghĩa là | i . e"
        " | in other words | thu về | thành ra | equivalent to | tương đương | ra | leaving | leaves | total of"
        " | bringing | cho kết quả | số tiền cuối cùng | tổng cuối cùng | giá cuối cùng | còn phải trả"
        " | final amount | final price | final total | you pay | you owe"
    ),
    "correction": (
        "đính chính | sửa lại | kiểm tra lại | rà lại | rà soát lại"
        " | xem lại | tính lại | nhầm | con số đúng | số đúng | số liệu đúng | đúng phải là | nói lại | chính xác hơn"
        " | số chính thức | xem kỹ lại"
        " | correction | to correct | correct figure | i misread | i made a mistake | let me correct"
        " | on second thought | double checking | double - checking | rechecking | scratch that | correct value"
        " | i misspoke | wait"
        " | correct answer | the right figure | official figure | later revised | revised to | revised it to"
        " | điều chỉnh thành | đã điều chỉnh | looking again | more precisely | upon review"
        " | my mistake | re - checked | re - checking | the real figure | the correct | looking closer"
    ),
    "superseded": (
        "ban đầu | lúc đầu | trước kia | dự định ban đầu | lẽ ra | theo kế hoạch cũ | kế hoạch cũ | bản cũ"
        " | thông báo cũ | lịch cũ | dời từ | chuyển từ"
        " | hoãn từ | đổi từ | hủy | originally | initially | at first | supposed to | was to | no longer"
        " | superseded | moved from | rescheduled from"
        " | revised from | postponed from | pushed from | pushed back from | changed from | old | previous"
        " | earlier draft | cancelled | was due | had been planned | had been scheduled | had been expected"
    ),
    "variant": (
        "adjusted | excluding | excludes | pro forma | like - for - like | điều chỉnh | loại trừ | không tính | chưa kể"
        " | không kể | chưa bao gồm | không bao gồm | chưa gồm"
    ),
    "limit": (
        "exceed | không vượt quá | không được vượt quá | vượt quá | not exceed | not to exceed"
        " | tối đa | tối thiểu | ít nhất | nhiều nhất | không quá | mức trần | hạn mức | giới hạn | ngưỡng | trần | sàn"
        " | biên độ"
        " | maximum | minimum | at most | at least | limit | cap | threshold | ceiling | no more than | allowance"
        " | quota | capacity"
    ),
    "change column": (
        "thay đổi | change | tăng trưởng | growth | chênh lệch | difference | biến động | yoy | so với | vs"
        " | tăng / giảm | tăng giảm | delta | δ"
    ),
    "afterwards": (
        "later | subsequently | since then | afterwards | much later | later on | sau này | về sau | mãi sau"
    ),
    "old": (
        "cũ | old | trước | before | previous | kế hoạch | planned | plan | budget | target | mục tiêu | dự toán | last"
    ),
    "mean": (
        "trung bình | bình quân | average | averages | averaged | mean | averaging | typical | typically | thông thường"
        " | thường | norm | usual | usually"
    ),
    "another": (
        "tương tự | tham khảo | để so sánh | để tham khảo | kế đến | tiếp theo | tiếp đến | đứng sau"
        " | xếp sau | theo sau | sau đó là"
        " | for reference | for comparison | by comparison | in comparison | for context"
        " | followed by | next | trailing | runner - up"
    ),
    "bound": "dưới | chưa đến | chưa tới | không đến | less than | fewer than | under | below"
    " | nearly | almost | just under | gần",
}
ASKED_CHANGE = (
    "vượt | tăng bao nhiêu | giảm bao nhiêu | tăng hay giảm | tăng thêm | thay đổi | chênh lệch | chênh | tăng trưởng"
    " | mức tăng | mức giảm | biến động"
    " | hơn bao nhiêu | kém bao nhiêu | tăng mấy | giảm mấy | cao hơn | thấp hơn | nhiều hơn | ít hơn | nhanh hơn"
    " | tăng giảm | cách nhau | dao động"
    " | tăng được | giảm được | đã tăng | đã giảm | lãi hay lỗ | tỷ lệ tăng | tốc độ tăng | muộn hơn | sớm hơn"
    " | đắt hơn | rẻ hơn | tiết kiệm | lệch"
    " | by how much | by how many | how much more | how much less | how much higher | how much lower | how many more"
    " | how many fewer | change | changed"
    " | growth | grow | grew | difference | rise | rose | fall | fell | drop | dropped | gain | gained | decline"
    " | declined | increase | increased"
    " | decrease | decreased | improve | improved | gap | faster | slower | cheaper | savings | save"
    " | by what percentage | climb | jump"
)
"""What a question says that asks how far something moved or how far two things are apart."""
CONTRASTS = folded_set("but however nhưng song although though whereas while yet tuy dù actually actual thực")


FAMILY_TEXT = """
mua, mua vào, buy, buying, bid, bought, purchase; bán, bán ra, sell, selling, ask, sold, offer
mở cửa, open, opening, opened; đóng cửa, chốt phiên, kết phiên, close, closing, closed
; cao nhất, high, highest, maximum, tối đa
; khối lượng khớp lệnh, khối lượng giao dịch, khớp lệnh, volume, trading volume
; thấp nhất, low, lowest, minimum, tối thiểu; trung bình, bình quân, average, mean; trung vị, median; tham chiếu
gộp, gross, trước thuế, before tax, pre - tax, pretax, chưa thuế, chưa gồm thuế, excluding tax, chưa gồm vat
, chưa vat, subtotal, tạm tính
; ròng, net, sau thuế, after tax, after - tax, đã gồm thuế, including tax, đã gồm vat
doanh thu, revenue, sales, turnover; lợi nhuận, lãi, profit, profits, earnings, income
; chi phí, cost, costs, expense, expenses, chi; vốn hóa, capitalization, cap; tài sản, assets
; nợ, debt, liabilities; vốn chủ, equity; thuế, tax, taxes; biên, margin
xuất khẩu, export, exports, exported; nhập khẩu, import, imports, imported
một chiều, one - way, one way; khứ hồi, round - trip, round trip, return
người lớn, adult, adults; trẻ em, trẻ, child, children, kids; sinh viên, student, students
; người cao tuổi, senior, seniors
nam, male, men, boys; nữ, female, women, girls
xách tay, carry-on, carry - on, cabin, hand luggage; ký gửi, checked
nội địa, trong nước, domestic; quốc tế, international, nước ngoài, overseas, foreign
khởi hành, cất cánh, depart, departs, departure, departing, leaves; đến nơi, hạ cánh, arrive, arrives, arrival, lands
bắt đầu, khởi công, start, starts, began, begin, begins, begun, started, starting, commenced
; kết thúc, hoàn thành, end, ends, finishes, complete, ended, finish, finished, completion, completed
nhận phòng, check - in, check in; trả phòng, check - out, check out
ngày thường, weekday, weekdays; cuối tuần, weekend, weekends
ban ngày, daytime; ban đêm, overnight, night, nights, đêm
nhiệt độ, temperature; độ ẩm, humidity; gió, wind; cảm giác, feels
thực tế, actual, actually; kế hoạch, planned, plan, target, budget, budgeted, mục tiêu, dự toán
đặt, ordered, đặt hàng; giao, delivered, shipped, đã giao, xuất kho; trả lại, hoàn, returned, refunded
; hủy, cancelled, canceled
tồn kho, tồn, stock, on hand; nhập, received, incoming, nhập kho
ký, signed; hiệu lực, effective; hết hạn, hết hiệu lực, expires, expired, expiry, expiration; gia hạn, renewed
, renewal
thành lập, founded, established, incorporated, founding; cổ phần hóa, equitized
; niêm yết, lên sàn, chào sàn, listed, listing, ipo, go public, went public, goes public, going public, public offering
; mua lại, thâu tóm, sáp nhập, acquired, acquisition, takeover, taken over, bought by, bought out
; đổi tên, renamed, rebranded; phá sản, giải thể, dissolved, bankrupt
sinh, born, birth; mất, qua đời, died, death
phát hành, công bố, published, released, release, announced; cập nhật, updated
hợp nhất, consolidated; riêng lẻ, công ty mẹ, standalone, parent
mỗi đêm, per night, một đêm, / đêm, a night, / night, nightly; cả kỳ, total stay
; mỗi người, per person, / người, một người, / person, each
mỗi ngày, per day, / ngày, một ngày, hàng ngày, daily, a day, / day
; mỗi tuần, per week, / tuần, một tuần, hàng tuần, weekly, a week, / week
; mỗi tháng, per month, / tháng, một tháng, hàng tháng, monthly, a month, / month, / mo
; mỗi năm, per year, / năm, một năm, hàng năm, annual, annually, yearly, a year, per annum, / year
; mỗi quý, per quarter, / quý, quarterly; mỗi học kỳ, học kỳ, mỗi kỳ, per term, per semester, / học kỳ
eps, per share, / share, a share, / cổ phiếu, mỗi cổ phiếu, mỗi cổ phần, / cổ phần
lãi suất, interest; phí, fee, fees; gốc, principal
thắng, won, win, wins; thua, lost, loses, losses, defeats; hòa, drawn, draws, draw
tử vong, deaths, dead, chết, killed; bị thương, injured, injuries; mất tích, missing; nhiễm, infected, cases, ca mắc
đã dùng, used, sử dụng; còn lại, còn, left, remaining, balance, available, still owe, you ' ll owe, will owe, còn nợ
chiều dài, dài, length, long; chiều rộng, rộng, width, wide; chiều cao, cao, height, tall; sâu, depth, deep
; diện tích, area; chu vi, perimeter
dân số, population; mật độ, density
arrive, arrives, arrival, arriving, delivered, delivery, estimated delivery, expected delivery, estimated arrival, eta
, giao hàng, được giao, tới nơi, đến nơi, tới tay, dự kiến giao, giao dự kiến, giao đến, nhận được hàng, nhận hàng
, ngày giao
; picked up, collected, shipped, dispatched, departed, departed hub, in transit, sorting centre, sorting center
, arrived at, order placed, customs, đã lấy hàng, lấy hàng, đến kho, rời kho, nhập kho, trung chuyển, đặt hàng, đã đặt
deadline, closing date, due date, applications close, registration closes, hạn chót, hạn cuối, hạn nộp, đóng cổng
, hết hạn nộp, hạn đăng ký; applications open, registration opens, mở cổng, mở đăng ký, bắt đầu nhận
; decisions, results announced, công bố kết quả, có kết quả
complete, completes, completed, completion, closed on, deal closed, closed the deal, finalized, finalised, hoàn tất
; announced, announcement, agreed to, công bố
find, finds, found, locate, located, spotted, rescued, tìm thấy; went missing, disappeared, vanished
khánh thành, thông xe, mở cửa đón khách, inaugurated, opened to; khởi công, động thổ, construction began
, construction started, work began, groundbreaking; hợp long, topped out
; mở rộng, nâng cấp, widened, extended, refurbished, renovated
khai mạc, opening ceremony, opens; bế mạc, closing ceremony, closes
thành thị, urban; nông thôn, rural
cả năm, full year, full - year, whole year, for the year; quý, quarter
cũ, old, former, previous, existing; mới, new, updated
xác suất, khả năng, chance, probability, likelihood
bao lâu, how long, duration, thời gian, thời lượng, kéo dài, lasted, lasts, took, takes, mất
how far, bao xa, distance, khoảng cách, quãng đường
how old, age, aged, tuổi
warm, nóng, hot, temperature, nhiệt độ, cold, lạnh
owe, due, phải trả, phải nộp, amount due, cần thanh toán, must pay
giá, price, cost, costs, fee, rate, tiền
online, trực tuyến, trên app, qua app; quầy, tại quầy, counter, branch
cash, tiền mặt; stock, cổ phiếu, shares
peak, cao điểm; off - peak, off peak, thấp điểm; bình thường, standard
home, sân nhà; away, sân khách
nguội, cold; sống, raw; chín, cooked
"""
"""A family a line: members stand between semicolons, and the words of one between commas."""


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
def _families() -> _Table:
    """The table of words that exclude each other, each named by its family and its place in it."""
    rows: dict[str, str] = {}
    for number, line in enumerate(FAMILY_TEXT.strip().replace("\n;", ";").replace("\n,", ",").splitlines()):
        for place, words in enumerate(line.split(";")):
            rows[f"{number}.{place}"] = words
    return _table(rows, ",")


def _find(folded: Sequence[str], table: _Table) -> list[Cue]:
    found: list[Cue] = []
    for index, word in enumerate(folded):
        phrases = table.by_first.get(word)
        if phrases is None:
            continue
        taken: set[str] = set()
        for phrase, role in phrases:
            end = index + len(phrase)
            if role not in taken and tuple(folded[index:end]) == phrase and not _is_other(folded, index, phrase):
                taken.add(role)
                found.append(Cue(role, index, end))
    return found


@lru_cache(maxsize=1)
def _asked() -> _Table:
    return _table({**PHRASES, "change": ASKED_CHANGE}, " | ")


def find_asked(folded: Sequence[str]) -> list[Cue]:
    """The roles that a question asks for."""
    return _find(folded, _asked())


NOT_SO = folded_set("với sánh far much many")
COMPOUNDS = """
tổng: sắp cục thống giám công hợp thể kết bí thư tuyển đài tham mưu lãnh
cao: tốc cấp đẳng su học điểm ốc bồi nguyên thủ
dài: hạn
chi: nhánh tiết đoàn bộ hội
sinh: viên học hoạt thái vật lý
giao: dịch thông lưu tiếp diện hữu
hoàn: toàn thiện thành cảnh hảo
hòa: bình lạc phát
trẻ: nhất hơn tuổi
tiền: đạo vệ tiêu đề gửi
giá: trị
biên: giới bản tập soạn lai chế độ
nhập: cảnh viện học cư ngũ
tồn: tại
quý: khách vị bạn
đặt: ra biệt lệnh
ký: túc hiệu ức
sâu: sắc rộng
rộng: rãi lớn
mất: điện nước
nam: định á phi kỳ
còn: lại nữa
bán: kính đảo kết chạy
close: to
long: -
"""


def _compounds() -> dict[str, frozenset[str]]:
    rows = (line.partition(":") for line in COMPOUNDS.strip().splitlines())
    return {fold_word(word): folded_set(following) for word, _, following in rows}


NO_CUE_BEFORE = _compounds()
"""Syllables that belong to another word before these: `tổng giám đốc` is no total, `cao tốc` no height."""


def _is_other(folded: Sequence[str], index: int, phrase: tuple[str, ...]) -> bool:
    """Whether a syllable belongs to another word: `tổng giám đốc` is no total."""
    following = folded[index + 1] if index + 1 < len(folded) else ""
    if len(phrase) > 1:
        return False
    return following in NO_CUE_BEFORE.get(phrase[0], ()) or (phrase[0] == "so" and following in NOT_SO)


def find_cues(folded: Sequence[str]) -> list[Cue]:
    """The phrases that give a role to what stands beside them, in order."""
    return _find(folded, _roles())


def find_families(folded: Sequence[str]) -> list[Cue]:
    """The words that exclude others, such as buying and selling: `role` is the family, a stop, and the member."""
    found = _find(folded, _families())
    return [cue for cue in found if not any(_covers(other, cue) for other in found)]


def _covers(other: Cue, cue: Cue) -> bool:
    return other.first <= cue.first and cue.last <= other.last and (other.last - other.first) > (cue.last - cue.first)
