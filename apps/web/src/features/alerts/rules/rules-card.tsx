import type { AlertRules, AlertRulesChanges, SubjectRules } from '@astropelago/contract/alert-rules'
import { changeAlerts, type OwnAlerts } from '@astropelago/contract/alerts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { OwnProblems } from '../../../lib/forms/reading.ts'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { useUser } from '../../../lib/use-user.ts'
import { paths } from '../../../paths.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Card } from '../../../ui/card.tsx'
import { ownAlertsQuery, useChangeAlerts } from '../alerts-query.ts'
import { ChannelChoice } from './channel-choice.tsx'
import {
  afterGraceText,
  draftOfGrace,
  type GraceDraft,
  GraceField,
  graceOf,
  graceProblem,
} from './grace-field.tsx'
import {
  draftOfQuietHours,
  type QuietHoursDraft,
  QuietHoursFields,
  quietHoursOf,
} from './quiet-hours-fields.tsx'
import { TimeZoneField } from '../../../ui/time-zone-field.tsx'
import { changedEntries, useRulesForm } from './use-rules-form.ts'

const repeats: readonly { readonly hours: number; readonly name: string }[] = [
  { hours: 1, name: t`Every hour` },
  { hours: 3, name: t`Every 3 hours` },
  { hours: 6, name: t`Every 6 hours` },
  { hours: 12, name: t`Every 12 hours` },
  { hours: 24, name: t`Every day` },
  { hours: 168, name: t`Every week` },
]

export function RulesCard() {
  const query = useQuery(ownAlertsQuery)
  return (
    <Card
      title={t`What to tell you`}
      description={t`For all your devices, islands and checks. When many go offline at once, you get one message.`}
    >
      {query.isLoading && <Skeleton className="h-64 w-full rounded-control" />}
      {query.data && (
        <>
          <RulesForm rules={query.data.rules} />
          <DifferingSubjects subjects={query.data.differing} />
        </>
      )}
      <ListFailure query={query} of="rules" />
    </Card>
  )
}

/** The rules in the form, possibly half typed. */
interface RulesDraft extends Omit<AlertRules, 'graceS' | 'quietHours'> {
  readonly graceS: GraceDraft
  readonly quietHours: QuietHoursDraft
}

function draftOfRules({ graceS, quietHours, ...rules }: AlertRules): RulesDraft {
  return { ...rules, graceS: draftOfGrace(graceS), quietHours: draftOfQuietHours(quietHours) }
}

/** What the form changes in the rules. Not validated yet. */
function changesOf(
  { graceS, quietHours, ...draft }: RulesDraft,
  rules: AlertRules,
): AlertRulesChanges {
  // Fields that are hidden while alerts are off are not sent.
  if (!draft.isOn) return rules.isOn ? { isOn: false } : {}
  const next = { ...draft, graceS: graceOf(graceS), quietHours: quietHoursOf(quietHours) }
  return changedEntries(next, rules)
}

/** Edits stay until they are saved, whatever the server sends in the meantime. */
function RulesForm({ rules }: { rules: AlertRules }) {
  const { isOperator } = useUser()
  const form = useRulesForm({
    draft: draftOfRules(rules),
    changesOf: (draft) => changesOf(draft, rules),
    schema: changeAlerts.body,
    problemsOf: missingIn,
    send: useChangeAlerts(),
    saved: t`Rules saved`,
  })
  const { values: draft, change, problemOf } = form
  return (
    <form {...form.wiring} aria-label={t`What to tell you`} className="flex min-w-0 flex-col gap-6">
      <Checkbox
        label={t`Tell me when a device of mine goes offline, an island closes or a check is down`}
        hint={t`While this is off, you get no alerts. What you miss is not sent later.`}
        checked={draft.isOn}
        onChange={({ target }) => change({ isOn: target.checked })}
      />
      {draft.isOn && (
        <>
          <Checkbox
            label={t`Also when it is back online, open or up again`}
            hint={t`Only if you got an alert before.`}
            checked={draft.tellsOnline}
            onChange={({ target }) => change({ tellsOnline: target.checked })}
          />
          <Checkbox
            label={t`Also when a device reports a failure itself`}
            hint={t`The device still counts as online. Its page shows what it reported.`}
            checked={draft.tellsWarnings}
            onChange={({ target }) => change({ tellsWarnings: target.checked })}
          />
          {isOperator && (
            <Checkbox
              label={t`And when users report something`}
              hint={t`You run this server, so you can get this too: at most one message in five minutes. It says how many reports there are, but not what users wrote.`}
              checked={draft.tellsReports}
              onChange={({ target }) => change({ tellsReports: target.checked })}
            />
          )}
          <Row>
            <GraceField
              value={draft.graceS}
              error={problemOf('graceS') && graceProblem}
              onChange={(graceS) => change({ graceS })}
            />
            <RepeatField
              value={draft.repeatHours}
              onChange={(repeatHours) => change({ repeatHours })}
            />
          </Row>
          <Row>
            <ChannelChoice
              value={draft.channels}
              whole={t`All channels that work`}
              error={problemOf('channels')}
              onChange={(channels) => change({ channels })}
            />
          </Row>
          <Row>
            <TimeZoneField
              about={t`For your quiet hours and for the times in alerts.`}
              value={draft.timeZone}
              error={problemOf('timeZone')}
              onChange={(timeZone) => change({ timeZone })}
            />
            <QuietHoursFields
              value={draft.quietHours}
              problemOf={problemOf}
              onChange={(quietHours) => change({ quietHours })}
            />
          </Row>
        </>
      )}
      <FormActions form={form} size="sm" submit={t`Save rules`} busy={t`Saving…`} />
    </form>
  )
}

function Row({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-w-0 items-start gap-x-8 gap-y-6 border-t border-line pt-6 sm:grid-cols-2">
      {children}
    </div>
  )
}

function RepeatField(props: { value: number | null; onChange: (hours: number | null) => void }) {
  const { value, onChange } = props
  // The API accepts any number of hours.
  const isOther = value !== null && repeats.every(({ hours }) => hours !== value)
  const choices = isOther
    ? [
        ...repeats,
        { hours: value, name: plural(value, { one: 'Every # hour', other: 'Every # hours' }) },
      ]
    : repeats
  return (
    <SelectField
      label={t`While it stays offline, closed or down`}
      hint={t`You can get reminders until it is back.`}
      value={value ?? ''}
      onChange={(hours) => onChange(hours === '' ? null : Number(hours))}
    >
      <option value="">
        <Trans>Tell me once</Trans>
      </option>
      {choices.map(({ hours, name }) => (
        <option key={hours} value={hours}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

function missingIn({ quietHours }: AlertRulesChanges): OwnProblems {
  return {
    'quietHours.from': quietHours?.from === '' && t`Enter it.`,
    'quietHours.to': quietHours?.to === '' && t`Enter it.`,
  }
}

type Differing = OwnAlerts['differing'][number]

function DifferingSubjects({ subjects }: { subjects: readonly Differing[] }) {
  if (subjects.length === 0) return null
  return (
    <div className="flex min-w-0 flex-col gap-3 border-t border-line pt-5">
      <h3 id="differing-heading" className="text-sm font-medium">
        <Trans>Where it differs</Trans>
      </h3>
      <ul aria-labelledby="differing-heading" className="flex min-w-0 flex-col gap-2 text-sm">
        {subjects.map((subject) => (
          <li key={`${subject.of} ${subject.id}`} className="min-w-0 wrap-anywhere">
            <Link
              to={pathOf(subject)}
              className={`${buttonStyles({ variant: 'link' })} max-w-full whitespace-normal!`}
            >
              <bdi>{subject.name}</bdi>
            </Link>
            <span className="text-muted">: {wordsOf(subject.rules)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function pathOf({ of, id, slug }: Differing): string {
  if (slug !== null) return paths.island(slug)
  return of === 'check' ? paths.check(id) : paths.device(id)
}

function wordsOf({ isOn, graceS, tellsOnline, tellsWarnings, channels }: SubjectRules): string {
  if (isOn === false) return t`no alerts`
  const differences = [
    isOn === true && t`alerts on`,
    graceS !== null && afterGraceText(graceS),
    tellsOnline !== null && (tellsOnline ? t`also when it is back` : t`not when it is back`),
    tellsWarnings !== null && (tellsWarnings ? t`with warnings` : t`without warnings`),
    channels !== null && plural(channels.length, { one: 'to # channel', other: 'to # channels' }),
  ]
  return differences.filter((part) => part !== false).join(', ')
}
