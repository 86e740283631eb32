import { createDeviceToken, type OwnDevice } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import KeyRound from 'virtual:icon/key-round'
import ShieldAlert from 'virtual:icon/shield-alert'
import { call } from '../../lib/call.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { TextLink } from '../../lib/text-link.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { MadeToken } from './connect-progress.ts'
import { tokenFailure } from './failure-texts.ts'

interface GenerateTokenProps {
  device: OwnDevice
  token: string | undefined
  onToken: (made: MadeToken) => void
}

export function GenerateToken({ device, token, onToken }: GenerateTokenProps) {
  const form = useApiForm({
    values: { label: '' },
    read: ({ label }) =>
      readBy(createDeviceToken.body, { deviceId: device.id, label: label.trim() || null }),
    send: (body) => call(createDeviceToken, { body }),
    onSent: onToken,
    explain: tokenFailure,
  })
  const submitLabel = token === undefined ? t`Generate token` : t`Generate another token`

  return (
    <>
      <p className="text-sm text-muted">
        <Trans>
          This secret lets <bdi className="font-medium wrap-anywhere text-ink">{device.label}</bdi>{' '}
          report, and nothing else. You can revoke it on the{' '}
          <TextLink to={paths.account()}>Account</TextLink> page.
        </Trans>
      </p>
      {token !== undefined && (
        <div className="flex min-w-0 flex-col gap-3">
          <CodeBlock label={t`device token`} text={token} />
          <output className="flex items-start gap-2.5 text-sm text-ink">
            <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
            <span>
              <Trans>
                This token is shown only once. The commands below already contain it. Copy it if you
                want to keep it. When you leave this page it is gone, but you can always generate
                another.
              </Trans>
            </span>
          </output>
        </div>
      )}
      <form {...form.wiring} className="flex min-w-0 flex-col gap-4">
        <div className="flex min-w-0 flex-col gap-4 sm:flex-row sm:items-end">
          <TextField
            label={t`Token label`}
            optional
            className="sm:max-w-80 sm:flex-1"
            autoComplete="off"
            {...form.text('label')}
          />
          <Button
            type="submit"
            variant={token === undefined ? 'default' : 'outline'}
            busy={form.isBusy}
            busyLabel={t`Generating…`}
          >
            <KeyRound aria-hidden />
            {submitLabel}
          </Button>
        </div>
        <FormError>{form.failure}</FormError>
      </form>
    </>
  )
}
