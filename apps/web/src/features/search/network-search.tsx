import { searchMaxLength } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useSearchParams } from 'react-router'
import Search from 'virtual:icon/search'
import { useIsFromBuild } from '../../lib/use-is-from-build.ts'
import { useQueryInAddress } from '../../lib/use-query-in-address.ts'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { useNetworkSearch } from './network-query.ts'
import { SearchAnswer } from './search-answer.tsx'
import { useArrowKeys } from './use-arrow-keys.ts'

const parameter = 'q'
const noteId = 'search-note'

interface NetworkSearchProps {
  submit: string
  beside?: ReactNode
}

/** The search text is stored in the address. */
export function NetworkSearch({ submit: submitText, beside }: NetworkSearchProps) {
  const isFromBuild = useIsFromBuild()
  const [parameters] = useSearchParams()
  const area = useRef<HTMLElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useArrowKeys(area)
  const [typed, setTyped] = useState(() => (isFromBuild ? '' : textIn(parameters)))
  /** The text submitted with Enter or the button, which is searched for without waiting. */
  const [urgent, setUrgent] = useState(typed)
  useQueryInAddress({
    query: typed,
    write: withText,
    onAddress: (address) => setTyped(textIn(address)),
  })
  // The build knows no address, and somebody may have typed before this code ran.
  const begin = useEffectEvent(() => {
    const text = input.current?.value || textIn(parameters)
    setTyped(text)
    setUrgent(text)
  })
  useLayoutEffect(() => begin(), [])
  const search = useNetworkSearch(typed, { isUrgent: urgent === typed })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setUrgent(typed)
  }
  const clearByEscape = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') setTyped('')
  }

  return (
    <search ref={area} className="flex flex-col gap-3">
      <form onSubmit={submit} className="flex flex-wrap gap-3">
        <div className="relative min-w-full flex-1 sm:min-w-64">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 start-4 size-5 -translate-y-1/2 text-muted"
          />
          <Input
            ref={input}
            type="search"
            name={parameter}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={clearByEscape}
            maxLength={searchMaxLength}
            autoComplete="off"
            enterKeyHint="search"
            aria-label={t`Search the network`}
            aria-describedby={noteId}
            placeholder={t`Search islands, satellites, and routes...`}
            className="h-12! ps-12! text-ellipsis"
          />
        </div>
        <Button type="submit" size="lg" className="flex-1 sm:flex-none">
          {submitText}
        </Button>
        {beside}
      </form>
      <div id={noteId} className="flex flex-col gap-4">
        <SearchAnswer
          typed={typed}
          search={search}
          className="rounded-card border border-line bg-panel/85 py-4 sm:p-4"
          hint={t`Matches appear while you type.`}
        />
      </div>
    </search>
  )
}

function textIn(parameters: URLSearchParams): string {
  return (parameters.get(parameter) ?? '').slice(0, searchMaxLength)
}

function withText(parameters: URLSearchParams, text: string): URLSearchParams {
  const written = new URLSearchParams(parameters)
  if (text.trim() === '') written.delete(parameter)
  else written.set(parameter, text.trim())
  return written
}
