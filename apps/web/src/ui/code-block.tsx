import { useRef } from 'react'
import { CopyButton } from './copy-button.tsx'
import { keyboardScrollable } from './keyboard-scrollable.ts'

interface CodeBlockProps {
  /** Part of the copy button's name. */
  label: string
  text: string
  language?: string
}

export function CodeBlock({ label, text, language }: CodeBlockProps) {
  const code = useRef<HTMLElement>(null)
  const selectAll = () => {
    if (code.current) window.getSelection()?.selectAllChildren(code.current)
  }
  return (
    <figure className="flex min-w-0 flex-col overflow-hidden rounded-control border border-line-strong bg-ground">
      <figcaption className="flex items-center justify-between gap-3 border-b border-line py-1.5 pe-1.5 ps-4 text-xs text-muted">
        <span className="min-w-0">
          {label}
          {language !== undefined && <span className="text-faint"> · {language}</span>}
        </span>
        <CopyButton text={text} label={label} onRefused={selectAll} variant="ghost" />
      </figcaption>
      <pre
        {...keyboardScrollable}
        className="max-h-96 overflow-auto p-4 font-mono text-sm -outline-offset-2"
      >
        <code ref={code}>{text}</code>
      </pre>
    </figure>
  )
}
