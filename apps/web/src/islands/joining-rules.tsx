import { Trans } from '@lingui/react/macro'
import ChevronRight from 'virtual:icon/chevron-right'
import { LinkedText } from '../ui/linked-text.tsx'

/** Empty if the host has set no rules. */
export function JoiningRules({ rules }: { rules: string }) {
  if (rules === '') return null
  return (
    <div className="flex w-full min-w-0 flex-col text-start text-sm">
      <p className="text-muted">
        <Trans>By joining you accept the rules of this island.</Trans>
      </p>
      <details className="group">
        <summary className="inline-flex min-h-9 list-none items-center gap-1.5 rounded-mark font-medium text-muted transition-colors hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="size-4 transition-transform duration-150 group-open:rotate-90"
          />
          <Trans>Read the rules</Trans>
        </summary>
        <div className="border-s-2 border-line py-1 ps-4">
          <RulesText>{rules}</RulesText>
        </div>
      </details>
    </div>
  )
}

export function RulesText({ children }: { children: string }) {
  return (
    <p dir="auto" className="max-w-prose text-sm whitespace-pre-line wrap-anywhere text-ink/90">
      <LinkedText>{children}</LinkedText>
    </p>
  )
}
