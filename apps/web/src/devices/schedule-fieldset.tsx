import { previewSchedule, readCron } from '@astropelago/contract/device-schedules'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { useSettled } from '../lib/use-settled.ts'
import { LocalTime } from '../ui/local-time.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { SelectField } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { TimeZoneField } from '../ui/time-zone-field.tsx'
import type { ScheduleDraft } from './schedule-draft.ts'

interface ScheduleFieldsetProps {
  draft: ScheduleDraft
  problemOf: (name: string) => string | undefined
  onChange: (changes: Partial<ScheduleDraft>) => void
}

/** How often a device reports: as usual, every so often, or by a cron expression. */
export function ScheduleFieldset({ draft, problemOf, onChange }: ScheduleFieldsetProps) {
  const { schedule } = draft
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <RadioCards
        legend={t`How often it reports`}
        hint={t`When a report is overdue, the device goes offline.`}
        columns="gap-3 sm:grid-cols-3"
        options={kinds}
        value={schedule}
        onChange={(kind) => onChange({ schedule: kind })}
      />
      {schedule === 'period' && (
        <div className="grid min-w-0 grid-cols-2 gap-4">
          <TextField
            label={t`Reports every`}
            error={problemOf('period')}
            name="period"
            inputMode="decimal"
            autoComplete="off"
            value={draft.period}
            onChange={(period) => onChange({ period })}
          />
          <SelectField
            label={t`Unit`}
            value={draft.periodUnit}
            options={units}
            onChange={(chosen) => {
              const unit = units.find(({ value }) => value === chosen)
              if (unit) onChange({ periodUnit: unit.value })
            }}
          />
        </div>
      )}
      {schedule === 'cron' && <CronFields {...{ draft, problemOf, onChange }} />}
      {schedule !== 'default' && (
        <TextField
          label={t`Grace period in minutes`}
          hint={t`How late a report may be before the device goes offline.`}
          error={problemOf('graceMinutes')}
          name="graceMinutes"
          inputMode="decimal"
          autoComplete="off"
          value={draft.graceMinutes}
          onChange={(graceMinutes) => onChange({ graceMinutes })}
        />
      )}
    </div>
  )
}

type CronDraft = Pick<ScheduleDraft, 'cron' | 'timeZone'>

interface CronFieldsProps {
  draft: CronDraft
  problemOf: (name: keyof CronDraft) => string | undefined
  onChange: (changes: Partial<CronDraft>) => void
}

/** A cron expression, its time zone, and when that will be. */
export function CronFields({ draft, problemOf, onChange }: CronFieldsProps) {
  return (
    <>
      <TextField
        label={t`Cron expression`}
        hint={t`Minute, hour, day of the month, month and day of the week, such as 30 4 * * 1 for Mondays at 4:30.`}
        error={problemOf('cron')}
        name="cron"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={draft.cron}
        onChange={(cron) => onChange({ cron })}
      />
      <TimeZoneField
        about={t`In which the expression is read.`}
        value={draft.timeZone}
        error={problemOf('timeZone')}
        onChange={(timeZone) => onChange({ timeZone })}
      />
      <NextTimes expression={draft.cron} timeZone={draft.timeZone} />
    </>
  )
}

export const ownSchedules = [
  {
    value: 'period',
    name: t`Every so often`,
    about: t`From every minute to every 30 days, with a grace period.`,
  },
  {
    value: 'cron',
    name: t`At certain times`,
    about: t`By a cron expression, such as for a backup every night.`,
  },
] as const

const kinds = [
  {
    value: 'default',
    name: t`As usual`,
    about: t`The device reports every 2 minutes, as the commands of this site do.`,
  },
  ...ownSchedules,
] as const

const units = [
  { value: 'min', name: t`minutes` },
  { value: 'h', name: t`hours` },
  { value: 'd', name: t`days` },
] as const

const settleMs = 300

function NextTimes(typed: { expression: string; timeZone: string }) {
  const expression = useSettled(typed.expression.trim(), settleMs)
  const { timeZone } = typed
  const { data } = useQuery({
    queryKey: ['next times', expression, timeZone],
    queryFn: ({ signal }) => call(previewSchedule, { query: { expression, timeZone }, signal }),
    enabled: typeof readCron(expression) !== 'string',
  })
  return (
    <output className="text-sm text-muted">
      {data && (
        <>
          <Trans>It is expected at these times:</Trans>
          <ul className="mt-1 flex flex-col gap-0.5 text-ink">
            {data.times.map((at) => (
              <li key={at}>
                <LocalTime at={at} form="appointment" />
              </li>
            ))}
          </ul>
        </>
      )}
    </output>
  )
}
