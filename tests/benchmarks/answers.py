"""What the typed answers of `vn-finance` have to be, each worked out from what the tools return."""

from __future__ import annotations

from collections.abc import Callable

from .figures import (
    call,
    change,
    close,
    day,
    fraction,
    iso,
    item,
    listed,
    mean,
    rows,
    said,
    symbols,
    top,
    words,
)

ANSWERS: dict[str, Callable[[], object]] = {
    "d01": lambda: close("FPT", "2026-01-15"),
    "d02": lambda: day("VNM", "2025-12-08").open,
    "d03": lambda: day("HPG", "2025-11-20").volume,
    "d04": lambda: day("MWG", "2025-10-22").high,
    "d05": lambda: day("VCB", "2026-01-14").low,
    "d07": lambda: rows("GAS", "2025-11-10", "2025-11-14", "1W")[0].close,
    "d08": lambda: rows("DGC", "2026-01-28", "2026-01-28", "15m")[0].close,
    "d09": lambda: bool(rows("PNJ", "2026-01-01")),
    "d10": lambda: close("TCB", "2025-12-24"),
    "d11": lambda: listed(query="Nhựa Bình Minh")[0]["symbol"],
    "d12": lambda: listed(query="DHG")[0]["name"].removeprefix("Công ty Cổ phần "),
    "d13": lambda: listed(query="IDC")[0]["exchange"],
    "d14": lambda: listed(query="Gemadept")[0]["industry"],
    "d15": lambda: listed(query="Thế Giới Di Động")[0]["symbol"],
    "d16": lambda: listed(query="ACV")[0]["exchange"].replace("UPCOM", "UPCoM"),
    "d17": lambda: listed(query="VHC")[0]["name"].removeprefix("Công ty Cổ phần "),
    "d18": lambda: symbols(exchange="HNX"),
    "d19": lambda: symbols(industry="Hàng không"),
    "d20": lambda: listed(query="Vàng bạc Đá quý Phú Nhuận")[0]["symbol"],
    "d21": lambda: bool(symbols(query="QZX")),
    "d23": lambda: said("search_web", "FPT Retail mở nhà thuốc năm 2026", r"FPT Retail dự kiến mở (\d+) nhà thuốc"),
    "d27": lambda: words("retrival_vector_db", "phiên ATC", r"đóng cửa, diễn ra từ 14h30 đến (14h45)"),
    "d29": lambda: said("retrival_vector_db", "biên độ dao động giá HNX", r"trên sàn HNX là (\d+)%"),
    "d30": lambda: words("retrival_vector_db", "trung bình giá", r"giá là mua (đều đặn) một số tiền"),
    "d31": lambda: call("time_now", {})["time"] < "14:45",
    "d32": lambda: call("time_now", {})["weekday"],
    "d33": lambda: call("time_now", {})["date"],
    "d34": lambda: 12 * 100,
    "d35": lambda: 500 * 32_000 / 1_000_000,
    "d37": lambda: (46_000 - 40_000) / 40_000 * 100,
    "k01": lambda: top(rows("FPT", "2025-12-01", "2025-12-31"), by=lambda r: r.close).time,
    "k02": lambda: min(r.close for r in rows("VIC", "2025-10-01", "2025-12-31")),
    "k03": lambda: mean([r.close for r in rows("ACB", "2026-01-05", "2026-01-16")]),
    "k04": lambda: change("GVR", "2025-12-01", "2025-12-31"),
    "k05": lambda: sum(r.volume for r in rows("STB", "2026-01-12", "2026-01-16")),
    "k06": lambda: sum(r.close > r.open for r in rows("VHM", "2025-11-01", "2025-11-30")),
    "k07": lambda: (
        max(r.high for r in rows("MSN", "2025-10-01", "2025-10-31"))
        - min(r.low for r in rows("MSN", "2025-10-01", "2025-10-31"))
    ),
    "k08": lambda: mean([r.volume for r in rows("VND", "2025-12-01", "2025-12-31")]),
    "k09": lambda: top(rows("SHB", "2026-01-05", "2026-01-30"), by=lambda r: r.volume).time,
    "k10": lambda: change("CTG", "2025-01-02", "2025-12-31"),
    "k11": lambda: max(r.close for r in rows("VPB", "2025-10-06", "2025-12-26", "1W")),
    "k12": lambda: sum(r.close > r.open for r in rows("HDB", "2025-11-03", "2025-11-28", "1W")),
    "k13": lambda: top(rows("MBB", "2026-01-27", "2026-01-27", "15m"), by=lambda r: r.volume).time[11:],
    "k14": lambda: max(r.high for r in rows("CTD", "2026-01-22", "2026-01-22", "15m") if r.time[11:] < "12"),
    "k15": lambda: abs(
        rows("PVD", "2026-01-29", interval="15m")[0].open - rows("PVD", "2026-01-29", interval="15m")[-1].close
    ),
    "k16": lambda: sum(r.volume for r in rows("NVL", "2026-01-26", "2026-01-26", "15m") if r.time[11:] > "12"),
    "k17": lambda: change("CMG", "2025-12-01", "2025-12-31") > 0 > change("FPT", "2025-12-01", "2025-12-31"),
    "k18": lambda: day("SSI", "2026-01-19").volume - day("VCI", "2026-01-19").volume,
    "k19": lambda: abs(close("VCB", "2026-01-09") - close("BID", "2026-01-09")),
    "k20": lambda: min(close(s, "2026-01-30") for s in ("PLX", "GAS", "PVS")),
    "k21": lambda: (close("MWG", "2026-01-30") - close("MWG", "2025-11-03")) * 1000,
    "k22": lambda: close("BVH", "2026-01-16"),
    "k23": lambda: close("DCM", "2026-01-13"),
    "k24": lambda: close("ANV", "2026-01-07"),
    "k25": lambda: max(r.high for r in rows("NTP", "2026-01-19", "2026-01-23")),
    "k26": lambda: max(close(s, "2026-01-28") for s in symbols(industry="Dược phẩm")),
    "k27": lambda: rows("BSR", "2026-01-23", "2026-01-23", "15m")[1].close,
    "k28": lambda: max(change(s, "2026-01-05", "2026-01-30") for s in symbols(exchange="HNX", industry="Chứng khoán")),
    "k29": lambda: close("VRE", "2026-01-29"),
    "k30": lambda: max(r.close for r in rows("KDH", "2025-12-01", "2025-12-31")),
    "k31": lambda: sum(r.volume for r in rows("GEX", "2026-01-19", "2026-01-23")),
    "k32": lambda: min(r.close for r in rows("POW", "2026-01-01", "2026-01-30")),
    "k33": lambda: close("HSG", "2026-01-23"),
    "k34": lambda: top(rows("PLX", "2025-10-01", "2025-12-31"), by=lambda r: -r.close).time,
    "k35": lambda: day("LPB", "2026-01-26").open,
    "k36": lambda: abs(close("TPB", "2026-01-30") - close("TPB", "2026-01-29")),
    "k37": lambda: close("HCM", "2025-12-31"),
    "k38": lambda: day("VIB", "2026-01-28").volume,
    "k39": lambda: close("KDH", "2026-01-30"),
    "k40": lambda: said("search_web", "Hóa chất Đức Giang quý IV/2025", r"doanh thu thuần quý IV/2025 đạt ([\d.]+) tỷ"),
    "k41": lambda: iso(words("search_web", "Nhựa Bình Minh cổ tức", r"Nhựa Bình Minh .* chốt vào ngày ([\d/]+)\.")),
    "k42": lambda: said(
        "retrival_vector_db", "Nam Long quý III/2025", r"Nam Long trong quý III/2025 .* còn lãi (\d+) tỷ"
    ),
    "k43": lambda: said("search_web", "giá cước container", r"châu Âu tăng (\d+)% trong hai tuần đầu tháng 1"),
    "k44": lambda: close("FRT", item("search_web", "FPT Retail mở nhà thuốc", "nhà thuốc trong năm 2026")["date"]),
    "k45": lambda: close("REE", iso(words("search_web", "REE cổ tức", r"\(REE\) .* nhận cổ tức là ([\d/]+)\."))),
    "k46": lambda: (
        said("search_web", "Hoa Sen quý IV/2025", r"Hoa Sen trong quý IV/2025 .* còn lãi (\d+) tỷ")
        - said("search_web", "Thép Nam Kim quý IV/2025", r"NKG báo lãi (\d+) tỷ đồng trong quý IV/2025")
    ),
    "k47": lambda: said("search_web", "ngành thép", r"tiêu thụ nội địa năm 2026 tăng (\d+)%"),
    "k48": lambda: round(
        1000 * close("VJC", "2026-01-30") * fraction("thuế bán cổ phiếu", r"thuế thu nhập (0,1)% trên giá trị bán")
    ),
    "k49": lambda: 60_000 / 4_000,
    "k50": lambda: said(
        "retrival_vector_db", f"biên độ {listed(query='SHS')[0]['exchange']}", r"trên sàn HNX là (\d+)%"
    ),
    "k52": lambda: bool(symbols(query="Trà Sen Vàng Tây Hồ")),
    "k53": lambda: call("time_now", {})["date"] >= "2026-06-15",
    "k54": lambda: 200 * 50 / (200 * 50 + 300 * 20) * 100,
    "k55": lambda: 100 * 1.1**3,
}
