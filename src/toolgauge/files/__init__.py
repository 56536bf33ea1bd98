"""Reading and writing files, so that every fault has a place and a person knows what to do about it."""

from .cell_lists import BadList, parse_words
from .conversion import convert, list_faults
from .documents import LocatedDocument, read_json_document, read_yaml_document
from .expanding import NamedFile, expand_path, open_joined
from .jsonlines import RecordDecoder, Rejected, decode_lines, leave_out, read_json_lines, read_records
from .jsontext import (
    MOST_DEPTH,
    BadJson,
    check_count,
    check_depth,
    decode_json,
    duplicate_keys,
    find_place,
    holds_key_twice,
    is_shallow,
    repeats_key,
)
from .opening import STANDARD_INPUT, OpenedInput, input_state, is_address, unpacked_name
from .problems import Fault, Locate, Path, Place, Problems, format_path, shorten
from .reading import LONGEST_LINE, MEBIBYTE, Chunk, InputFile, split_lines
from .recognise import FORMATS, Format, delimiter_of, recognise, refuse_workbook
from .tables import CsvTable, filled, near_column
from .writing import UnlinkedFile, replace_file, start_writeback, write_file

__all__ = [
    "FORMATS",
    "LONGEST_LINE",
    "MEBIBYTE",
    "MOST_DEPTH",
    "STANDARD_INPUT",
    "BadJson",
    "BadList",
    "Chunk",
    "CsvTable",
    "Fault",
    "Format",
    "InputFile",
    "Locate",
    "LocatedDocument",
    "NamedFile",
    "OpenedInput",
    "Path",
    "Place",
    "Problems",
    "RecordDecoder",
    "Rejected",
    "UnlinkedFile",
    "check_count",
    "check_depth",
    "convert",
    "decode_json",
    "decode_lines",
    "delimiter_of",
    "duplicate_keys",
    "expand_path",
    "filled",
    "find_place",
    "format_path",
    "holds_key_twice",
    "input_state",
    "is_address",
    "is_shallow",
    "leave_out",
    "list_faults",
    "near_column",
    "open_joined",
    "parse_words",
    "read_json_document",
    "read_json_lines",
    "read_records",
    "read_yaml_document",
    "recognise",
    "refuse_workbook",
    "repeats_key",
    "replace_file",
    "shorten",
    "split_lines",
    "start_writeback",
    "unpacked_name",
    "write_file",
]
