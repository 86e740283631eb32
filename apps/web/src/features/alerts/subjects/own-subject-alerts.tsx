import { LinkButton } from '../../../lib/link-button.tsx'
import type {
  AlertRules,
  SubjectRules,
  SubjectRulesChanges,
} from '@astropelago/contract/alert-rules'
import { changeDeviceAlerts } from '@astropelago/contract/alerts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { paths } from '../../../paths.ts'
import { FormActions } from '../../../ui/form-actions.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Card } from '../../../ui/card.tsx'
import {
  type AlertSubject,
  ownAlertsQuery,
  subjectAlertsQuery,
  useChangeSubjectAlerts,
} from '../alerts-query.ts'
import { MaintenanceWindows } from '../maintenance/maintenance-windows.tsx'
import { ChannelChoice } from '../rules/channel-choice.tsx'
import {
  draftOfGrace,
  type GraceDraft,
  GraceField,
  graceOf,
  graceProblem,
} from '../rules/grace-field.tsx'
import { changedEntries, useRulesForm } from '../rules/use-rules-form.ts'
import { AllOffHint, NoChannelHint } from './alert-hints.tsx'

const scopes = { device: 'devices', island: 'islands', check: 'checks' } as const

export function OwnSubjectAlerts({ subject }: { subject: AlertSubject }) {
  const query = useQuery(subjectAlertsQuery(subject))
  const account = useQuery(ownAlertsQuery)
  const isLoading = query.isLoading || account.isLoading
  return (
    <Card
      title={t`Alerts`}
      description={
        <Trans>
          What you don’t change here is as in the{' '}
          <LinkButton to={paths.accountPart('alerts')} variant="link">
            alerts of your account
          </LinkButton>
          .
        </Trans>
      }
    >
      {account.data?.rules.isOn === false ? (
        <AllOffHint />
      ) : (
        <NoChannelHint own={query.data?.rules} />
      )}
      {isLoading && <Skeleton className="h-40 w-full rounded-control" />}
      {query.data && account.data && (
        <>
          <SubjectForm
            key={subject.id}
            subject={subject}
            rules={query.data.rules}
            account={account.data.rules}
          />
          <div className="flex min-w-0 flex-col gap-4 border-t border-line pt-5">
            <h3 className="text-sm font-medium">
              <Trans>Maintenance</Trans>
            </h3>
            <MaintenanceWindows
              maintenance={query.data.maintenance}
              loadedMs={query.dataUpdatedAt}
              of={{ [scopes[subject.of]]: [subject.id] }}
            />
          </div>
        </>
      )}
      <ListFailure query={query.isSuccess ? account : query} of="alerts" />
    </Card>
  )
}

/** A subject's rules in the form, possibly half typed. */
interface SubjectDraft extends Omit<SubjectRules, 'graceS'> {
  readonly graceS: GraceDraft
}

function draftOfSubject({ graceS, ...rules }: SubjectRules): SubjectDraft {
  return { ...rules, graceS: draftOfGrace(graceS) }
}

/** What the form changes in the rules. Not validated yet. */
function subjectChangesOf(
  { graceS, ...draft }: SubjectDraft,
  rules: SubjectRules,
  account: AlertRules,
): SubjectRulesChanges {
  // Fields that are hidden while alerts are off are not sent.
  if (!(draft.isOn ?? account.isOn)) return changedEntries({ isOn: draft.isOn }, rules)
  return changedEntries({ ...draft, graceS: graceOf(graceS) }, rules)
}

interface SubjectFormProps {
  subject: AlertSubject
  rules: SubjectRules
  /** The account's rules, which apply to whatever the subject doesn't override. */
  account: AlertRules
}

interface Words {
  readonly isOn: string
  readonly tellsOnline: string
  /** Null if the subject has no warnings. */
  readonly tellsWarnings: string | null
}

const words: Readonly<Record<AlertSubject['of'], Words>> = {
  device: {
    isOn: t`When it goes offline`,
    tellsOnline: t`When it is back online`,
    tellsWarnings: t`When it reports a failure`,
  },
  island: { isOn: t`When it closes`, tellsOnline: t`When it opens again`, tellsWarnings: null },
  check: { isOn: t`When it is down`, tellsOnline: t`When it is up again`, tellsWarnings: null },
}

/** A subject's alert rules, where they differ from the account's. */
function SubjectForm({ subject, rules, account }: SubjectFormProps) {
  const form = useRulesForm({
    draft: draftOfSubject(rules),
    changesOf: (draft) => subjectChangesOf(draft, rules, account),
    schema: changeDeviceAlerts.body,
    send: useChangeSubjectAlerts(subject),
    saved: t`Alerts saved`,
  })
  const { values: draft, change, problemOf } = form
  const tells = draft.isOn ?? account.isOn
  const { isOn, tellsOnline, tellsWarnings } = words[subject.of]
  return (
    <form
      {...form.wiring}
      aria-label={t`What to tell you about ${subject.name}`}
      className="flex min-w-0 flex-col gap-6"
    >
      <div className="grid min-w-0 items-start gap-x-8 gap-y-6 sm:grid-cols-2">
        <Choice
          label={isOn}
          value={draft.isOn}
          account={account.isOn}
          onChange={(value) => change({ isOn: value })}
        />
        {tells && (
          <>
            <Choice
              label={tellsOnline}
              value={draft.tellsOnline}
              account={account.tellsOnline}
              onChange={(value) => change({ tellsOnline: value })}
            />
            <GraceField
              value={draft.graceS}
              accountS={account.graceS}
              error={problemOf('graceS') && graceProblem}
              onChange={(graceS) => change({ graceS })}
            />
            {tellsWarnings !== null && (
              <Choice
                label={tellsWarnings}
                value={draft.tellsWarnings}
                account={account.tellsWarnings}
                onChange={(value) => change({ tellsWarnings: value })}
              />
            )}
            <ChannelChoice
              value={draft.channels}
              whole={t`As in your account`}
              error={problemOf('channels')}
              onChange={(channels) => change({ channels })}
            />
          </>
        )}
      </div>
      <FormActions
        form={form}
        size="sm"
        variant="outline"
        submit={t`Save alerts`}
        busy={t`Saving…`}
      />
    </form>
  )
}

interface ChoiceProps {
  label: string
  value: boolean | null
  account: boolean
  onChange: (value: boolean | null) => void
}

function Choice({ label, value, account, onChange }: ChoiceProps) {
  return (
    <SelectField
      label={label}
      value={value === null ? '' : value ? 'yes' : 'no'}
      onChange={(choice) => onChange(choice === '' ? null : choice === 'yes')}
    >
      <option value="">{account ? t`As in your account (yes)` : t`As in your account (no)`}</option>
      <option value="yes">
        <Trans>Tell me</Trans>
      </option>
      <option value="no">
        <Trans>Don’t tell me</Trans>
      </option>
    </SelectField>
  )
}
