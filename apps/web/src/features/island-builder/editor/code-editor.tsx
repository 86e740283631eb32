import { autocompletion, closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { css } from '@codemirror/lang-css'
import { html } from '@codemirror/lang-html'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { t } from '@lingui/core/macro'
import { getNonce } from 'get-nonce'
import { useEffect, useEffectEvent, useRef } from 'react'

export interface CodeEditorProps {
  path: string
  label: string
  hintId: string
  /** Later ones are not shown. */
  text: string
  /** From 1. Each new object moves the cursor there. */
  goTo: { readonly line: number } | undefined
  onType: (text: string) => void
}

export function CodeEditor({ path, label, hintId, text, goTo, onType }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(null)
  const type = useEffectEvent(onType)
  const open = useEffectEvent((parent: HTMLElement) => {
    const names = EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-describedby': hintId,
    })
    const typed = EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) type(state.sliceDoc())
    })
    return new EditorView({
      parent,
      doc: text,
      extensions: [extensions, languageOf(path), names, typed],
    })
  })
  useEffect(() => {
    if (place.current === null) return undefined
    const view = open(place.current)
    editor.current = view
    return () => view.destroy()
  }, [])
  useEffect(() => {
    const view = editor.current
    if (view === null || goTo === undefined) return
    const { from } = view.state.doc.line(Math.min(Math.max(goTo.line, 1), view.state.doc.lines))
    view.dispatch({
      selection: { anchor: from },
      effects: EditorView.scrollIntoView(from, { y: 'center' }),
    })
    view.focus()
  }, [goTo])
  return (
    <div
      ref={place}
      className="min-h-0 flex-1 overflow-hidden p-0.5 text-base has-[.cm-focused]:outline-2 has-[.cm-focused]:-outline-offset-2 has-[.cm-focused]:outline-accent sm:text-sm"
    />
  )
}

function languageOf(path: string): Extension {
  const [, ending] = /\.([a-z]+)$/i.exec(path) ?? []
  return languages[ending?.toLowerCase() ?? '']?.() ?? []
}

/** People type whole tags. Closing them unasked would double their ends. */
const page = () => html({ autoCloseTags: false })

const languages: Readonly<Record<string, () => Extension>> = {
  html: page,
  htm: page,
  svg: page,
  xml: page,
  css,
  js: javascript,
  mjs: javascript,
  json,
  webmanifest: json,
}

const colors = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--color-muted)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.tagName, tags.modifier], color: 'var(--color-accent)' },
  { tag: [tags.string, tags.regexp, tags.attributeValue], color: 'var(--color-island)' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--color-accent-strong)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit], color: 'var(--color-danger)' },
  { tag: [tags.angleBracket, tags.punctuation, tags.meta], color: 'var(--color-muted)' },
  { tag: tags.invalid, textDecoration: 'underline wavy var(--color-danger)' },
])

const field = {
  border: '1px solid var(--color-edge)',
  borderRadius: 'var(--radius-mark)',
  background: 'var(--color-panel)',
  color: 'var(--color-ink)',
}

const theme = EditorView.theme(
  {
    '&': { height: '100%', color: 'var(--color-ink)' },
    '&.cm-focused, .cm-content': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.6' },
    '.cm-content': { caretColor: 'var(--color-accent)' },
    '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--color-accent)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
      { background: 'rgb(34 211 238 / 22%)' },
    '.cm-gutters': {
      background: 'var(--color-panel)',
      color: 'var(--color-faint)',
      border: 'none',
    },
    '.cm-lineNumbers .cm-gutterElement': { minWidth: '2.25rem' },
    '.cm-activeLine, .cm-activeLineGutter': { background: 'rgb(148 163 184 / 8%)' },
    '&.cm-focused .cm-matchingBracket, .cm-selectionMatch': {
      background: 'var(--color-accent-soft)',
    },
    '&.cm-focused .cm-nonmatchingBracket': { background: 'var(--color-danger-soft)' },
    '.cm-searchMatch': { background: 'var(--color-island-soft)' },
    '.cm-searchMatch-selected': { background: 'rgb(34 211 238 / 30%)' },
    '.cm-panels': { background: 'var(--color-raised)', color: 'var(--color-ink)' },
    '.cm-panels-bottom': { borderTop: '1px solid var(--color-line)' },
    '.cm-panel.cm-search label': { fontSize: '0.8125rem' },
    '.cm-textfield': { ...field, fontSize: '0.8125rem' },
    '.cm-button': { ...field, backgroundImage: 'none', fontSize: '0.8125rem' },
    '.cm-tooltip': { ...field, background: 'var(--color-raised)' },
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      background: 'var(--color-hover)',
      color: 'var(--color-ink)',
    },
  },
  { dark: true },
)

/** Where CodeMirror puts the number. */
const number = '$'

const phrases = {
  Find: t`Find`,
  Replace: t`Replace`,
  next: t`next`,
  previous: t`previous`,
  all: t`all`,
  'match case': t`match case`,
  regexp: t`regular expression`,
  'by word': t`whole words`,
  replace: t`replace`,
  'replace all': t`replace all`,
  close: t`close`,
  'current match': t`Current match`,
  'on line': t`on line`,
  'replaced match on line $': t`Replaced on line ${number}`,
  'replaced $ matches': t`Places replaced: ${number}`,
  'Go to line': t`Go to line`,
  go: t`go`,
  Completions: t`Completions`,
  'Selection deleted': t`Selection deleted`,
  'Control character': t`Control character`,
}

const nonce = getNonce()
/** As long as in CodeMirror's own rule. */
const tabFocusMs = 2000

const extensions: Extension = [
  nonce === undefined ? [] : EditorView.cspNonce.of(nonce),
  EditorState.phrases.of(phrases),
  theme,
  syntaxHighlighting(colors),
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightActiveLine(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion(),
  search(),
  highlightSelectionMatches(),
  EditorView.lineWrapping,
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    indentWithTab,
  ]),
  // Escape and then Tab leaves the editor. CodeMirror's own rule overlooks an Escape that closes a list.
  EditorView.domEventObservers({
    keydown: ({ key }, view) => {
      if (key === 'Escape') view.setTabFocusMode(tabFocusMs)
    },
  }),
]
