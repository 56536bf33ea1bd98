"""Words beside a name that say in which role it is named, and words of questions and answers that mean the same."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from toolgauge.locale import fold_word

__all__ = ["NameCue", "PhraseTable", "find_concepts", "find_roles", "find_said", "role_places", "table_of"]

BEFORE: dict[str, str] = {
    "second": (
        "followed by | kế đến | kế tiếp | tiếp theo | tiếp đến | theo sau | rồi đến | á quân | runner up"
        " | runner - up | runners - up"
        " | the second | the third | second is | third is | next is | then | xếp sau | hạng nhì | hạng ba"
        " | về nhì | về ba | second place"
        " | người về nhì | thứ hai là | thứ ba là | sau đó là | sau đó mới | silver | bạc | next come"
        " | second was | just ahead of"
    ),
    "beaten": (
        "beat | beats | beating | defeated | defeating | over | against | ahead of | than | versus | vs | past"
        " | topping | overtaking"
        " | overtook | đánh bại | thắng | vượt | vượt qua | vượt mặt | hơn | so với | cao hơn | đối thủ | rival"
        " | hạ | met | met the | bỏ xa"
        " | compared to | compared with | trước đối thủ | gặp | gặp đội"
    ),
    "former": (
        "former | formerly | previously | previous | until | ex - | cựu | nguyên chủ tịch | trước đây"
        " | trước đó | từng | thay | thay cho"
        " | thay thế | thay thế cho | kế nhiệm | kế nhiệm ông | tiếp quản từ | replaced | replacing | replaces"
        " | succeeded | succeeding | succeeds"
        " | took over from | takes over from | taking over from | used to | originally | initially | at first"
        " | first showed | before that | prior to"
        " | ban đầu | lúc đầu | tiền nhiệm | người tiền nhiệm | predecessor | moved from | migrated from"
        " | switched from | chuyển từ | in the past"
        " | introduced in | first appeared in | xuất hiện từ | phát sinh từ | có từ | transferred from"
        " | were going to | was going to | planned to | wanted to | intended to | meant to | supposed to | định"
        " | dự định | lẽ ra | đáng lẽ | suýt | escalated from | opened with | old | cũ là | no longer | đổi từ"
        " | renamed from | instead of | thay vì | trước năm"
        " | trước tháng | trước mùa | trước ngày | trước thời điểm | before"
    ),
    "confused": (
        "first attributed to | initially attributed to | originally attributed to | was attributed to | blamed"
        " | blamed on | first blamed | suspected | first suspected | first thought | initially named | pointed to"
        " | pointed at | nghi ngờ | nghi là | nghi do | đổ lỗi cho | quy cho"
        " | nhầm với | nhầm lẫn với | nhầm sang | tránh nhầm với | confuse it with | confused with | confuse with"
        " | mistaken for | mistake it for"
        " | don ' t confuse | don ’ t confuse | tưởng là | tưởng | nhầm là | mix it up with | mixed up with"
        " | different from | khác với | unlike"
        " | tempting to say | might guess | would expect | nghĩ | nghĩ là | nghĩ rằng | cứ ngỡ | phân biệt với"
    ),
    "source": (
        "theo | according to | per | nguồn | source | sources | reported by | cited by | báo | dẫn lời"
        " | data from | số liệu của | as reported by"
        " | compiled by | thống kê của | theo báo cáo của | via | theo trang | quoted by | published by | said by"
    ),
    "parent": (
        "subsidiary of | owned by | part of | unit of | division of | arm of | công ty con của | thuộc"
        " | trực thuộc | thành viên của | công ty mẹ"
        " | parent | parent company | controlled by | affiliate of | spun off from | sở hữu bởi | chi nhánh của"
        " | backed by | named after"
    ),
    "also": (
        "also | ngoài ra | cũng | other | others | khác như | khác | such as | including | alongside | besides"
        " | along with | as well as | cùng với"
        " | other options | alternatives | elsewhere | meanwhile | in contrast | ngược lại | bên cạnh"
        " | members are | plus | thêm | for local | available | similarly | tương tự | giống | like | gần với"
        " | close to | near | cách | only | chỉ | neighbouring | neighboring | nearby | nearest | lân cận | láng giềng"
        " | kế bên | gần đó"
    ),
    "contender": (
        "shortlist | shortlisted | nominees | finalists | candidates | contenders | đề cử | ứng viên | options"
        " | options are | three options"
        " | two options | lựa chọn gồm | danh sách rút gọn | có ba gói | có hai gói | the leading elements are"
        " | considered"
    ),
    "denied": (
        "negative for | ruled out | excluding | excluded | except | other than | aside from | rules out"
        " | loại trừ | ngoại trừ | criticising | rejects | rejected"
        " | why not | not"
    ),
    "recommended": (
        "go for | recommend | recommended | go with | choose | pick | nên chọn | hãy chọn | chọn | khuyên"
        " | đề xuất | gợi ý | use | opt for | best option is"
        " | lựa chọn tốt nhất là | i would choose | suggest | phù hợp nhất là | nên dùng | nên mua | nên đi"
    ),
    "now": (
        "successor is | successor as | successor was | successor , | succeeded by | người kế nhiệm là"
        " | người kế nhiệm | người thay thế là | người thay là | kế nhiệm bà là | kế nhiệm ông là"
        " | now | currently | hiện là | hiện do | hiện ở | hiện thuộc | hiện tại | hiện nay | nay | nay là | today"
        " | since | moved to | switched to | chuyển sang | đổi sang | đổi thành"
        " | changed to | as of | at present | replaced by | thay bằng | succeeded by | được thay bởi"
    ),
    "given": "awarded to | given to | went to | thuộc về | trao cho | về tay",
}
BEHIND: dict[str, str] = {
    "second": (
        "second | third | is second | came second | comes next | come next | came next | is next | was next"
        " | follows | follow | followed | finished second"
        " | close second | runner - up | runner up | đứng thứ hai | đứng thứ ba | thứ hai | thứ ba"
        " | xếp thứ hai | xếp thứ | về nhì | về ba | xếp sau"
        " | về thứ | chỉ về"
        " | đứng sau | theo sau | đứng thứ nhì | xếp thứ nhì | á quân | hạng nhì | bám sát | placed second"
        " | took second | took silver | giành huy chương bạc"
        " | đoạt huy chương bạc | was second | ranks second | is third | was third | thứ tư | xếp thứ ba | chỉ xếp"
    ),
    "beaten": (
        "lost | lost to | thua | bị loại | bị vượt | bị vượt qua | was beaten | was eliminated | fell short"
        " | để thua | thất bại | bị đánh bại"
    ),
    "former": (
        "served as | served until | held the post before | held the post until | held the role until | before her"
        " | before him | who held the | trước ông | trước bà | trước anh | giữ chức đến | đến hết năm | đến năm"
        " | formerly | previously | stepped down | resigned | retired | used to | từng | trước đây | trước đó"
        " | until | withdrew | rút lui | từ nhiệm"
        " | nghỉ hưu | was the former | before that | đã kiểm toán giai đoạn | left | was replaced | đã nghỉ"
        " | thôi giữ chức | was previously | was formerly"
        " | was the default in | was the original | was originally | giai đoạn trước | had been"
        " | had won | had hosted | had led | had held"
        " | chuyển sang làm | is older | cũ | miễn nhiệm"
    ),
    "confused": (
        "turned out to be wrong | is wrong | was wrong | is incorrect | denied | bị bác bỏ | là sai"
        " | không chính xác | is a common mistake"
        " | rẻ nhất vì | would lead | was denied | is often mentioned | is often cited | hay bị nhầm"
        " | thường bị nhầm | hay được nhắc"
        " | bị nhầm | is sometimes"
    ),
    "denied": (
        "không | chưa | chẳng | not | did not | does not | do not | has not | have not | is not | was not"
        " | didn ' t | doesn ' t | hasn ' t | isn ' t | wasn ' t"
        " | didn ’ t | doesn ’ t | hasn ’ t | isn ’ t | wasn ’ t | never | declined | is silent | affirmed"
        " | can ' t | cannot | won ' t"
    ),
    "also": (
        "also | cũng | chỉ dùng | chỉ là | chỉ được | chỉ có | chỉ tranh | only | is only | was only | is also"
        " | was also | likewise | meanwhile | just | đáng cân nhắc | ngược lại"
    ),
    "now": "instead | takes over | took over | lên thay | tiếp quản | is now | hiện là | hiện nay",
    "wins": (
        "beat | beats | defeated | defeats | won | wins | edged | overcame | overtook | pulled ahead | came back"
        " | clinched | triumphed | prevailed | claimed | thắng | đánh bại | hạ | vượt qua | đăng quang | lên ngôi"
        " | lội ngược dòng | giành | vô địch | is certified | was certified | was declared"
    ),
    "contender": (
        "was the favourite | favourite | favorite | contender | was expected | was tipped | ứng viên"
        " | được kỳ vọng | finalist | nominated | đề cử | shortlisted"
        " | vào chung khảo | had two match points | led until | dẫn trước | took the first set"
        " | received a special mention | special mention"
    ),
}
CONCEPTS: dict[str, str] = {
    "=best": (
        "steepest | sharpest | highest | largest | biggest | greatest | most | top | leads | lead | led"
        " | leading | leader | first | number one | no . 1 | best | tops | topped | #1 | winner"
        " | longest | tallest | cao nhất | lớn nhất | nhiều nhất | đứng đầu | dẫn đầu | đầu tiên | số một"
        " | số 1 | hạng nhất | ngôi đầu | mạnh nhất | dài nhất"
        " | đầu bảng | quán quân | hàng đầu | nhất bảng | tốt nhất | đông nhất | rộng nhất | vị trí số một"
        " | về nhất | top 1 | thứ nhất | vị trí đầu | giỏi nhất | chạy nhất"
        " | ngôi vương | ngôi vô địch | đông dân nhất | hottest | coldest | richest | strongest | newest | latest"
    ),
    "=least": (
        "lowest | cheapest | smallest | least | fewest | least expensive | shortest | economical | rẻ nhất"
        " | thấp nhất | ít nhất | nhỏ nhất | ngắn nhất | tiết kiệm nhất"
        " | rẻ hơn cả | most economical | most affordable | best value | kém nhất | worst"
    ),
    "=late": "latest | newest | most recent | muộn nhất | mới nhất | gần đây nhất | trễ nhất",
    "=early": "earliest | soonest | sớm nhất | oldest | lâu đời nhất | cổ nhất",
    "=win": (
        "won | win | wins | winner | winning | champion | champions | championship | victory | took home"
        " | awarded | award | prize | title | vô địch | chiến thắng"
        " | giành | đoạt | đăng quang | ngôi vương | ngôi vô địch | trúng | đoạt giải | giành giải"
        " | huy chương vàng | hcv | gold | gave the prize | trao giải | quán quân"
    ),
    "=drop": (
        "drop | drops | dropped | decline | declined | declines | fall | fell | decrease | decreased | giảm"
        " | sụt | sụt giảm | lowered"
    ),
    "=wrote": (
        "wrote | written | writer | author | authored | tác giả | viết | sáng tác | tác phẩm của | tác phẩm"
        " | penned | composed | composer | nhà văn | nhà thơ | nhạc sĩ | bút"
    ),
    "=directed": "directed | director | directs | đạo diễn",
    "=painted": "painted | painter | painting | họa sĩ | vẽ",
    "=boss": (
        "ceo | chief executive | chief executive officer | tổng giám đốc | tgđ | giám đốc điều hành | run by"
        " | runs | led by | head of | heads | điều hành | lãnh đạo"
    ),
    "=finance": "cfo | chief financial officer | giám đốc tài chính",
    "=tech": "cto | chief technology officer | giám đốc công nghệ",
    "=chair": "chair | chairs | chairman | chairwoman | chaired | chủ tịch | chairperson",
    "=coach": "coach | head coach | huấn luyện viên | hlv | trainer",
    "=found": "founded | founder | established | thành lập | sáng lập | sáng lập bởi | co - founded",
    "=made": (
        "made | makes | manufactured | manufacturer | produced | produces | sản xuất | built | builds | chế tạo"
        " | supplies | supplier | supplied | cung cấp"
    ),
    "=bought": "bought | acquired | acquires | acquisition | purchased | mua lại | thâu tóm | took over",
    "=cut": "downgraded | downgrade | cut | lowered | hạ bậc | hạ xếp hạng | hạ mức",
    "=located": (
        "located | located in | headquartered | headquarters | based in | lies | nằm | nằm ở | đặt tại | thuộc"
        " | trụ sở | đặt ở | tọa lạc | situated"
    ),
    "=host": "host | hosts | hosted | hosting | đăng cai | tổ chức | diễn ra | takes place | held | venue",
    "=sing": "sings | sang | sung | hát | thể hiện | trình bày | biểu diễn | performed",
    "=ticker": "ticker | symbol | mã | mã chứng khoán | mã cổ phiếu | trades under | under | ký hiệu",
    "=owner": "owner | owns | owned | phụ trách | in charge | responsible | chịu trách nhiệm | đảm nhiệm | quản lý",
    "=approve": "approve | approves | approved | approver | phê duyệt | duyệt | sign off | sign - off",
    "=use": "use | uses | used | using | runs on | running on | dùng | sử dụng | powered by",
    "=end": "cuối | cuối cùng | kết thúc | terminus | final | last | ends | ending",
    "=govern": "governs | governing | governed | điều chỉnh | chi phối | áp dụng",
    "=material": "made of | made from | chất liệu | làm từ | làm bằng | material",
}


class NameCue(NamedTuple):
    """A phrase that stands at some words."""

    what: str
    first: int
    last: int
    """The index behind its last word."""


PhraseTable: TypeAlias = dict[str, list[tuple[tuple[str, ...], str]]]


def table_of(rows: Mapping[str, str]) -> PhraseTable:
    """The phrases of some rows by their first word, the longest first."""
    table: PhraseTable = {}
    for what, row in rows.items():
        for phrase in row.split(" | "):
            words = tuple(fold_word(word) for word in phrase.split())
            table.setdefault(words[0], []).append((words, what))
    for phrases in table.values():
        phrases.sort(key=lambda one: -len(one[0]))
    return table


@lru_cache(maxsize=1)
def _tables() -> tuple[PhraseTable, PhraseTable, PhraseTable]:
    return table_of(BEFORE), table_of(BEHIND), table_of(CONCEPTS)


def _find(folded: Sequence[str], table: PhraseTable, places: Sequence[int], last: int) -> Iterator[NameCue]:
    for index in places:
        phrases = table.get(folded[index])
        if phrases is None:
            continue
        longest = 0
        for phrase, what in phrases:
            end = index + len(phrase)
            if end < longest:
                break
            if end <= last and (len(phrase) == 1 or tuple(folded[index:end]) == phrase):
                yield NameCue(what, index, end)
                longest = end


def find_said(folded: Sequence[str], table: PhraseTable) -> list[NameCue]:
    """The phrases of a table in order."""
    return list(_find(folded, table, range(len(folded)), len(folded)))


def role_places(folded: Sequence[str], *, behind: bool) -> list[int]:
    """Where a phrase may begin that gives a role to the name before or behind it."""
    table = _tables()[behind]
    return [index for index, word in enumerate(folded) if word in table]


def find_roles(folded: Sequence[str], places: Sequence[int], first: int, last: int, *, behind: bool) -> list[NameCue]:
    """The phrases between two words that give a role to the name before or behind them."""
    between = places[bisect_left(places, first) : bisect_left(places, last)]
    return list(_find(folded, _tables()[behind], between, last)) if between else []


def find_concepts(folded: Sequence[str]) -> list[NameCue]:
    """The phrases that mean the same in a question and its answer, such as `won` and `title`."""
    return list(_find(folded, _tables()[2], range(len(folded)), len(folded)))
