import {
  checkIslandDomain,
  claimIslandDomain,
  type IslandDomain,
  removeIslandDomain,
  type SeenRecord,
} from '@astropelago/contract/island-domain'
import type { OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import CircleAlert from 'virtual:icon/circle-alert'
import CircleCheck from 'virtual:icon/circle-check'
import { islandDomainQuery } from '../../../islands/relay-queries.ts'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'

/** The domain that an island on the relay can have of its own. */
export function DomainCard({ island: { id } }: { island: Pick<OwnIsland, 'id'> }) {
  const { data } = useQuery(islandDomainQuery(id))
  // The focused button is gone after the change.
  const card = useRef<HTMLElement>(null)
  if (data === undefined) return null
  const { domain } = data
  return (
    <Card
      ref={card}
      tabIndex={-1}
      title={t`Your own domain`}
      description={t`Visitors can enter your island at a domain that belongs to you.`}
    >
      {domain !== null && <Claim id={id} domain={domain} onRemoved={() => card.current?.focus()} />}
      <DomainForm key={domain?.name} id={id} domain={domain} />
    </Card>
  )
}

function DomainForm({ id, domain }: { id: string; domain: IslandDomain | null }) {
  const client = useQueryClient()
  const showToast = useToast()
  const form = useApiForm({
    values: { name: domain?.name ?? '', isInLogs: domain?.isInLogs ?? false },
    read: ({ name, isInLogs }) =>
      readBy(
        claimIslandDomain.body,
        { name: name.trim(), isInLogs },
        { name: name.trim() === '' && t`Enter a domain.` },
      ),
    send: (body) => call(claimIslandDomain, { params: { id }, body }),
    onSent: (answer) => {
      client.setQueryData(islandDomainQuery(id).queryKey, answer)
      showToast({ title: t`Domain saved` })
    },
  })
  return (
    <form {...form.wiring} aria-label={t`Your own domain`} className="flex min-w-0 flex-col gap-5">
      <TextField
        className="sm:max-w-md"
        label={t`Domain`}
        hint={t`Such as bar.example.org. You need access to its DNS records.`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        {...form.text('name')}
      />
      <Checkbox
        label={t`The name may become public in certificate logs`}
        hint={t`Browsers open a domain only with a certificate, and public logs list every certificate. Without this, your domain gets none, and visitors stay at the address of this site.`}
        checked={form.values.isInLogs}
        onChange={({ target }) => form.change({ isInLogs: target.checked })}
      />
      <FormActions
        form={form}
        size="sm"
        variant={domain === null ? 'default' : 'outline'}
        submit={domain === null ? t`Use this domain` : t`Save changes`}
        busy={t`Saving…`}
      />
    </form>
  )
}

interface ClaimProps {
  id: string
  domain: IslandDomain
  onRemoved: () => void
}

function Claim({ id, domain, onRemoved }: ClaimProps) {
  const { records, seen } = domain
  const { proof, target } = records
  const client = useQueryClient()
  const showToast = useToast()
  const { queryKey } = islandDomainQuery(id)
  const checking = useMutation({
    mutationFn: () => call(checkIslandDomain, { params: { id } }),
    onSuccess: (answer) => client.setQueryData(queryKey, answer),
  })
  const removing = useMutation({
    mutationFn: () => call(removeIslandDomain, { params: { id } }),
    onSuccess: () => {
      client.setQueryData(queryKey, { domain: null })
      onRemoved()
      showToast({ title: t`The domain is removed` })
    },
  })
  const addresses = target.addresses.join(', ')
  return (
    <>
      <Status domain={domain} />
      <ol className="flex min-w-0 flex-col gap-5">
        <Step
          title={t`Lead the domain here with a CNAME record`}
          seen={seen && targetSentence(seen.target, seen.values)}
          isFound={seen?.target === 'found'}
        >
          <Row label={t`Name`} text={domain.name} />
          <Row label={t`Target`} text={target.name} />
          {addresses !== '' && (
            <p className="text-xs text-muted">
              <Trans>
                A domain without anything in front, such as example.org, can have no CNAME record.
                Give it A and AAAA records instead: <bdi className="text-ink">{addresses}</bdi>
              </Trans>
            </p>
          )}
        </Step>
        <Step
          title={t`Prove that it is yours with a TXT record`}
          seen={seen && proofSentences[seen.proof]}
          isFound={seen?.proof === 'found'}
        >
          <Row label={t`Name`} text={proof.name} />
          <Row label={t`Value`} text={proof.value} />
        </Step>
      </ol>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="sm"
          busy={checking.isPending}
          busyLabel={t`Checking…`}
          onClick={() => checking.mutate()}
        >
          <Trans>Check now</Trans>
        </Button>
        <AskFirst
          label={t`Remove`}
          name={t`Remove the domain`}
          keep={t`Keep it`}
          confirm={t`Remove it`}
          busy={removing.isPending}
          onConfirm={() => removing.mutate()}
        >
          <Trans>Everybody who is inside by this domain is cut off.</Trans>
        </AskFirst>
        {seen !== null && (
          <span className="text-xs text-muted">
            <Trans>
              Last checked: <LocalTime at={seen.at} />
            </Trans>
          </span>
        )}
      </div>
      <FormError>{failureText(checking.error ?? removing.error)}</FormError>
    </>
  )
}

function Status({ domain: { status, address, isInLogs } }: { domain: IslandDomain }) {
  if (status.state === 'proven') {
    return (
      <Note isWell>
        <Trans>
          Proven since <LocalTime at={status.since} />.
        </Trans>{' '}
        {isInLogs || address.startsWith('http:') ? (
          <Trans>
            Visitors enter at <bdi className="wrap-anywhere">{address}</bdi>, and the address of
            this site leads there.
          </Trans>
        ) : (
          t`It gets no certificate before you tick the box below.`
        )}
      </Note>
    )
  }
  if (status.state === 'lost') {
    return (
      <Note>
        <Trans>
          Lost on <LocalTime at={status.since} form="long" />.
        </Trans>{' '}
        {lossSentences[status.why]}
      </Note>
    )
  }
  return (
    <Note>{t`Not proven yet. Until then, nobody enters there, and the name is not reserved for you.`}</Note>
  )
}

function Note({ isWell = false, children }: { isWell?: boolean; children: ReactNode }) {
  return (
    <output
      className={`block min-w-0 rounded-control border px-4 py-3 text-sm ${isWell ? 'border-accent/40 bg-accent-soft' : 'border-line-strong bg-raised'}`}
    >
      {children}
    </output>
  )
}

interface StepProps {
  title: string
  /** What the last check saw; null without one. */
  seen: string | null
  isFound: boolean
  children: ReactNode
}

function Step({ title, seen, isFound, children }: StepProps) {
  const Mark = isFound ? CircleCheck : CircleAlert
  return (
    <li className="flex min-w-0 flex-col gap-2">
      <h3 className="text-sm font-medium">{title}</h3>
      {children}
      {seen !== null && (
        <output className="flex min-w-0 items-start gap-2 text-sm">
          <Mark
            aria-hidden
            className={`mt-0.5 size-4 shrink-0 ${isFound ? 'text-accent' : 'text-danger'}`}
          />
          <span className="min-w-0 wrap-anywhere">{seen}</span>
        </output>
      )}
    </li>
  )
}

function Row({ label, text }: { label: string; text: string }) {
  return (
    <div className="flex min-w-0 items-center gap-3 rounded-control bg-raised py-1.5 ps-4 pe-1.5">
      <div className="flex min-w-0 flex-1 flex-col gap-x-3 sm:flex-row sm:items-center">
        <span className="w-14 shrink-0 text-xs text-muted">{label}</span>
        <bdi dir="ltr" className="min-w-0 font-mono text-xs wrap-anywhere">
          {text}
        </bdi>
      </div>
      <CopyButton text={text} label={text} variant="ghost" />
    </div>
  )
}

const unanswered = t`The name servers of the domain did not answer. Try again in a few minutes.`

const proofSentences: Readonly<Record<SeenRecord, string>> = {
  found: t`The TXT record is there.`,
  missing: t`The TXT record is not there yet. It can take an hour until a new record is seen.`,
  other: t`There is a TXT record, but with another value.`,
  unanswered,
}

function targetSentence(seen: SeenRecord, values: readonly string[]): string {
  const addresses = values.join(', ')
  const sentences: Readonly<Record<SeenRecord, string>> = {
    found: t`The domain leads here.`,
    missing: t`The domain leads nowhere yet. It can take an hour until a new record is seen.`,
    other: t`The domain leads to other addresses: ${addresses}. That is only right if a proxy of yours is there.`,
    unanswered,
  }
  return sentences[seen]
}

type Loss = Extract<IslandDomain['status'], { state: 'lost' }>['why']

const lossSentences: Readonly<Record<Loss, string>> = {
  missing: t`Its TXT record was gone. Add it again, then check.`,
  unanswered: t`Its name servers gave no answer for three days. Check again when they work.`,
  taken: t`Another island has proved that it has this domain. If it is yours, replace the old TXT record by the new one, then check.`,
}
