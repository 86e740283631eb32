import { hiddenReasonMaxLength } from '@astropelago/contract/limits'
import {
  dismissReports,
  hideSubject,
  type ReportCase,
  showSubject,
} from '@astropelago/contract/reports'
import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { type ReactNode, useId, useState } from 'react'
import ChevronDown from 'virtual:icon/chevron-down'
import EyeOff from 'virtual:icon/eye-off'
import Trash from 'virtual:icon/trash'
import Undo2 from 'virtual:icon/undo-2'
import { DeviceLink } from '../../../devices/device-link.tsx'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { AtTime } from '../at-time.tsx'
import { useAction } from '../operator-query.ts'
import { UserLink } from '../subject-details.tsx'
import { hiddenTexts, kindWords, reasonNames } from './report-words.ts'

export function OpenCase({ reported }: { reported: ReportCase }) {
  const { subject, thing, reportedAs, reports } = reported
  const { name } = reportedAs
  const words = kindWords[subject.kind]
  const [reason, setReason] = useState(hiddenTexts[reports[0]?.reason ?? 'other'])
  const hiding = useAction(
    () => call(hideSubject, { params: subject, body: { reason } }),
    words.hidden ? t`${name} is hidden` : t`${name} is deleted`,
  )
  const dismissing = useAction(
    () => call(dismissReports, { params: subject }),
    t`The reports of ${name} are dismissed`,
  )
  const isBusy = hiding.isPending || dismissing.isPending
  const isHidden = thing !== null && thing.hidden !== null
  return (
    <CaseItem reported={reported}>
      {thing !== null && (
        <TextField
          label={words.reasonLabel}
          hint={(isHidden && words.hidden?.hidingAgain) || words.hiding}
          value={reason}
          maxLength={hiddenReasonMaxLength}
          onChange={setReason}
        />
      )}
      <FormError>{failureText(hiding.error ?? dismissing.error)}</FormError>
      <div className="flex flex-wrap items-center gap-3">
        {thing !== null && (
          <Button
            variant="destructive"
            busy={hiding.isPending}
            disabled={isBusy || reason.trim() === ''}
            aria-label={words.hidden ? t`Hide ${name}` : t`Delete ${name}`}
            onClick={() => hiding.mutate()}
          >
            {words.hidden ? <EyeOff aria-hidden /> : <Trash aria-hidden />}
            {words.hidden ? t`Hide it` : t`Delete it`}
          </Button>
        )}
        <Button
          variant="outline"
          busy={dismissing.isPending}
          disabled={isBusy}
          aria-label={t`Dismiss the reports of ${name}`}
          onClick={() => dismissing.mutate()}
        >
          <Trans context="reports">Dismiss</Trans>
        </Button>
        <span className="text-xs text-muted">
          {thing === null
            ? t`It is deleted. If you dismiss these reports, they are settled.`
            : t`If you dismiss these reports, they are settled and nothing else changes.`}
        </span>
      </div>
    </CaseItem>
  )
}

/** The outcome of a case. A hidden subject can be shown again. */
export function SettledCase(props: {
  reported: ReportCase
  settled: NonNullable<ReportCase['settled']>
}) {
  const { reported, settled } = props
  const { subject, thing, reportedAs } = reported
  const { name } = reportedAs
  const words = kindWords[subject.kind]
  const showing = useAction(() => call(showSubject, { params: subject }), t`${name} is shown again`)
  return (
    <CaseItem reported={reported}>
      <p className="text-sm text-muted">
        {settled.outcome === 'hidden' ? (
          words.hidden ? (
            <Trans>
              Hidden on <AtTime at={settled.at} />
            </Trans>
          ) : (
            <Trans>
              Deleted on <AtTime at={settled.at} />
            </Trans>
          )
        ) : (
          <Trans>
            Dismissed on <AtTime at={settled.at} />
          </Trans>
        )}
        {thing?.hidden != null && words.hidden && (
          <>
            . {words.hidden.reads} <q className="wrap-anywhere text-ink">{thing.hidden.reason}</q>
          </>
        )}
      </p>
      <FormError>{failureText(showing.error)}</FormError>
      {thing?.hidden != null && words.hidden && (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            variant="outline"
            size="sm"
            busy={showing.isPending}
            aria-label={t`Show ${name} again`}
            onClick={() => showing.mutate()}
          >
            <Undo2 aria-hidden />
            <Trans>Show again</Trans>
          </Button>
          <span className="text-xs text-muted">
            {thing.isPublic ? t`Everybody sees it again at once.` : words.hidden.notPublic}
          </span>
        </div>
      )}
    </CaseItem>
  )
}

/** One row, which expands to the reports and the actions. */
function CaseItem({ reported, children }: { reported: ReportCase; children: ReactNode }) {
  const { subject, thing, reportedAs, count, reports } = reported
  const titleId = useId()
  const kindName = kindWords[subject.kind].name
  const more = count - reports.length
  const [newest] = reports
  return (
    <li aria-labelledby={titleId} className="min-w-0 border-b border-line last:border-0">
      <details className="group">
        <summary className="flex min-w-0 list-none items-center gap-3 rounded-mark py-3 hover:text-accent-strong [&::-webkit-details-marker]:hidden">
          <div className="flex min-w-0 flex-1 flex-col gap-0.5">
            <h3 id={titleId} className="truncate text-sm font-semibold">
              <bdi>{reportedAs.name}</bdi>
            </h3>
            <p className="text-xs text-muted" data-numeric>
              {kindName}, {stateOf(thing)}
              {newest !== undefined && (
                <>
                  {' · '}
                  {reasonNames[newest.reason]}
                </>
              )}
              {count > 1 && ` · ${plural(count, { one: '# report', other: '# reports' })}`}
              {newest !== undefined && (
                <>
                  {' · '}
                  <LocalTime at={newest.at} />
                </>
              )}
            </p>
          </div>
          <ChevronDown
            aria-hidden
            className="size-5 shrink-0 text-muted transition-transform duration-200 group-open:rotate-180"
          />
        </summary>
        <div className="flex min-w-0 flex-col gap-4 pt-1 pb-6">
          <div className="flex min-w-0 flex-col gap-1">
            <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
              <span>
                {reportedAs.author === '' ? (
                  <Trans>{kindName} of this server</Trans>
                ) : (
                  <Trans>
                    {kindName} of <UserLink username={reportedAs.author} />
                  </Trans>
                )}
              </span>
              {reportedAs.link !== null && (
                <>
                  <span aria-hidden>·</span>
                  <span className="flex max-w-72 min-w-0">
                    <DeviceLink link={reportedAs.link} />
                  </span>
                </>
              )}
            </p>
            {thing !== null && thing.name !== reportedAs.name && (
              <p className="text-sm text-muted">
                <Trans>
                  It is called <bdi className="wrap-break-word text-ink">{thing.name}</bdi> now.
                </Trans>
              </p>
            )}
          </div>
          <ul className="flex min-w-0 flex-col gap-3 border-s border-line-strong ps-4">
            {reports.map(({ reason, text, reporter, at }) => (
              <li
                key={`${reporter} ${at} ${text}`}
                className="flex min-w-0 flex-col gap-0.5 text-sm"
              >
                <p className="font-medium text-ink">{reasonNames[reason]}</p>
                {text !== '' && (
                  <p dir="auto" className="whitespace-pre-line wrap-break-word text-ink">
                    {text}
                  </p>
                )}
                <p className="text-xs text-muted">
                  {reporter ?? t`Somebody whose account is gone`}, <AtTime at={at} />
                </p>
              </li>
            ))}
            {more > 0 && (
              <li className="text-xs text-muted">
                <Plural value={more} one="and # earlier report" other="and # earlier reports" />
              </li>
            )}
          </ul>
          {children}
        </div>
      </details>
    </li>
  )
}

function stateOf(thing: ReportCase['thing']): string {
  if (thing === null) return t`deleted`
  if (thing.hidden !== null) return t`hidden`
  return thing.isPublic ? t`public` : t`not for everybody`
}
