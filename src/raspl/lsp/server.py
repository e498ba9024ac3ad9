"""The server: one handler a request, each a translation of what `assist` answers.

A document is RASP-L if its language is `raspl`, or if it is Python and holds an `@program`. Of a
Python module only its programs are judged: the rest of it runs, and is nobody's business here.
Texts are parsed and never executed.
"""

from __future__ import annotations

import asyncio
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from raspl import assist
from raspl.assist.elsewhere import Place, elsewhere
from raspl.language.source import Source
from raspl.loading import check_source
from raspl.lsp.places import Places

PAUSE = 0.1
"""Seconds without a keystroke after which a text is checked."""
PROGRAM = re.compile(r"^@(raspl\.)?program\b", re.MULTILINE)
NAME = re.compile(r"[^\W\d]\w*")
KINDS = {
    "function": types.CompletionItemKind.Function,
    "comparison": types.CompletionItemKind.Operator,
    "variable": types.CompletionItemKind.Variable,
    "parameter": types.CompletionItemKind.Variable,
    "constant": types.CompletionItemKind.Constant,
    "type": types.CompletionItemKind.Class,
    "keyword": types.CompletionItemKind.Keyword,
}


class Opened:
    """A document as the editor shows it."""

    def __init__(self, document: TextDocument) -> None:
        self.uri = document.uri
        self.version = document.version
        self.is_python = document.language_id != "raspl" and not self.uri.endswith(".raspl")
        # As in files: every line ends in one sign, and counts as one line.
        self.text = document.source.replace("\r\n", "\n").replace("\r", "\n")
        self.places = Places.of(self.text, document.position_codec)

    @property
    def is_raspl(self) -> bool:
        """Whether there is anything to say about it."""
        return not self.is_python or PROGRAM.search(self.text) is not None

    @property
    def source(self) -> Source:
        """Its text, which knows what stands beside it if it is a file."""
        path = uris.to_fs_path(self.uri) if self.uri.startswith("file:") else None
        if not path:
            return Source(self.text)
        return Source(self.text, Path(path).name, folder=Path(path).parent)

    def diagnostics(self) -> list[dict[str, Any]]:
        """What is wrong or odd in this text, each with its fixes."""
        if not self.is_raspl:
            return []
        source = self.source
        found = check_source(source).diagnostics
        own = [each for each in found if each.span.file == source.file]
        if self.is_python:  # the statements around the programs of a module do run
            own = [each for each in own if each.rule.code != "W002"]
        return assist.with_fixes(source, own)

    def elsewhere(self, line: int, column: int) -> Place | None:
        """Where the name at a place is defined, if that is in another file."""
        text = self.places.lines[line - 1]
        for match in NAME.finditer(text):
            if match.start() < column <= match.end() + 1:
                before = re.search(r"(\w+)\.\Z", text[: match.start()])
                return elsewhere(self.source, match[0], before[1] if before else "")
        return None


def make_server() -> LanguageServer:
    """A server that answers about RASP-L."""
    server = LanguageServer("raspl", version("raspl"))

    def opened(document: types.TextDocumentIdentifier) -> Opened:
        return Opened(server.workspace.get_text_document(document.uri))

    def publish(one: Opened) -> None:
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(
                one.uri, [_diagnostic(one, each) for each in one.diagnostics()], one.version
            )
        )

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        publish(opened(types.TextDocumentIdentifier(document.uri)))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: types.DidChangeTextDocumentParams) -> None:
        await asyncio.sleep(PAUSE)
        if params.text_document.uri not in server.workspace.text_documents:
            return
        latest = opened(types.TextDocumentIdentifier(params.text_document.uri))
        if latest.version == params.text_document.version:
            publish(latest)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        # What is beside a file may have changed.
        for uri in list(server.workspace.text_documents):
            publish(opened(types.TextDocumentIdentifier(uri)))

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(params.text_document.uri, [])
        )

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        one = opened(params.text_document)
        return _hover(one, *one.places.here(params.position)) if one.is_raspl else None

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=['"', "("])
    )
    def completion(params: types.CompletionParams) -> types.CompletionList:
        one = opened(params.text_document)
        items = _completions(one, *one.places.here(params.position)) if one.is_raspl else []
        return types.CompletionList(is_incomplete=False, items=items)

    @server.feature(
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        types.SignatureHelpOptions(trigger_characters=["(", ","]),
    )
    def signature(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        one = opened(params.text_document)
        return _signature(one, *one.places.here(params.position)) if one.is_raspl else None

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> types.Location | None:
        one = opened(params.text_document)
        return _definition(one, *one.places.here(params.position)) if one.is_raspl else None

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        return list(_actions(opened(params.text_document), params.range))

    return server


def _diagnostic(one: Opened, found: dict[str, Any]) -> types.Diagnostic:
    note = f"\n{found['note']}" if found["note"] else ""
    is_warning = found["severity"] == "warning"
    severity = types.DiagnosticSeverity.Warning if is_warning else types.DiagnosticSeverity.Error
    return types.Diagnostic(
        range=_range(one, found),
        message=f"{found['message']}\ninstead: {found['instead']}\n{found['rule']}{note}",
        severity=severity,
        code=found["code"],
        source="raspl",
        tags=[types.DiagnosticTag.Unnecessary] if found["code"] == "W001" else None,
    )


def _range(one: Opened, place: dict[str, Any]) -> types.Range:
    return one.places.range(place["line"], place["column"], place["end_line"], place["end_column"])


def _hover(one: Opened, line: int, column: int) -> types.Hover | None:
    found = assist.hover(one.text, line, column, one.source.folder)
    if found is None:
        place = one.elsewhere(line, column)
        return None if place is None else _told(place.signature, place.doc)
    of = found["signature"] or found["name"]
    if found["type"]:
        of = f"{found['name']}: {found['type']}"
    reach = f"It can be {found['values']}." if found["values"] else ""
    told = _told(of, "\n\n".join(filter(None, [reach, found["doc"]])))
    told.range = one.places.range(line, found["from"], line, found["to"])
    return told


def _told(headline: str, text: str) -> types.Hover:
    return types.Hover(_markdown(f"```python\n{headline}\n```\n{text}"))


def _markdown(text: str) -> types.MarkupContent:
    return types.MarkupContent(types.MarkupKind.Markdown, text)


def _completions(one: Opened, line: int, column: int) -> list[types.CompletionItem]:
    found = assist.complete(one.text, line, column)
    replaced = one.places.range(line, found["from"], line, column)
    return [
        types.CompletionItem(
            label=item["name"],
            kind=KINDS[item["kind"]],
            detail=item["signature"],
            documentation=_markdown(item["doc"]),
            # Editors sort by name otherwise, and what fits best comes first.
            sort_text=f"{number:05}",
            filter_text=item["name"],
            text_edit=types.TextEdit(replaced, item["name"]),
        )
        for number, item in enumerate(found["items"])
    ]


def _signature(one: Opened, line: int, column: int) -> types.SignatureHelp | None:
    found = assist.signature(one.text, line, column)
    if found is None:
        return None
    parameters = [types.ParameterInformation(label=each) for each in found["parameters"]]
    known = types.SignatureInformation(
        label=found["signature"], documentation=_markdown(found["doc"]), parameters=parameters
    )
    return types.SignatureHelp([known], active_signature=0, active_parameter=found["active"])


def _definition(one: Opened, line: int, column: int) -> types.Location | None:
    found = assist.definition(one.text, line, column)
    if found is not None:
        place = one.places.range(found["line"], found["from"], found["line"], found["to"])
        return types.Location(one.uri, place)
    outside = one.elsewhere(line, column)
    uri = None if outside is None else uris.from_fs_path(str(outside.file))
    if outside is None or uri is None:
        return None
    start = types.Position(outside.line - 1, 0)
    return types.Location(uri, types.Range(start, start))


def _actions(one: Opened, asked: types.Range) -> list[types.CodeAction]:
    """The fixes of what is wrong in the part of the text that the editor asks about."""
    return [
        types.CodeAction(
            title=fix["title"],
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[_diagnostic(one, found)],
            is_preferred=len(found["fixes"]) == 1,
            edit=types.WorkspaceEdit(
                changes={
                    one.uri: [
                        types.TextEdit(_range(one, edit), edit["text"]) for edit in fix["edits"]
                    ]
                }
            ),
        )
        for found in one.diagnostics()
        if _meets(_range(one, found), asked)
        for fix in found["fixes"]
    ]


def _meets(a: types.Range, b: types.Range) -> bool:
    ends = [(p.line, p.character) for p in (a.start, a.end, b.start, b.end)]
    return ends[0] <= ends[3] and ends[2] <= ends[1]
