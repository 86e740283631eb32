import { createDeviceToken, type OwnDevice } from '@astropelago/contract/devices'
import { getRelayAgent } from '@astropelago/contract/relay-agent'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { failureText } from '../lib/failure-text.ts'
import { publicUrl } from '../lib/public-url.ts'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { FormError } from '../ui/form-error.tsx'
import { lendingAgent } from './relay-commands/agent-files.ts'

interface LendCommandProps {
  device: Pick<OwnDevice, 'id'>
  /** What its owner's own checks may look at. */
  checkLan?: string
}

/** Makes the command that runs an agent which looks at addresses. */
export function LendCommand({ device: { id: deviceId }, checkLan }: LendCommandProps) {
  // The answer holds a secret.
  const making = useMutation({
    mutationFn: async () => {
      const { sha256 } = await call(getRelayAgent, {})
      const body = { deviceId, label: t`Looking at addresses`, scope: 'relay' as const }
      const { token } = await call(createDeviceToken, { body })
      return lendingAgent({ publicUrl: publicUrl(), sha256, token }, checkLan)
    },
    gcTime: 0,
  })
  if (making.data !== undefined) {
    return (
      <div className="flex w-full min-w-0 flex-col gap-3">
        <CodeBlock label={t`Command`} language="sh" text={making.data} />
        <p className="text-sm text-muted">
          <Trans>
            It runs while the terminal is open, and needs Node.js. Its token is shown only now.
          </Trans>
        </p>
      </div>
    )
  }
  return (
    <>
      <Button size="sm" busy={making.isPending} onClick={() => making.mutate()}>
        <Trans>Make the command</Trans>
      </Button>
      <FormError>{making.isError ? failureText(making.error) : undefined}</FormError>
    </>
  )
}
