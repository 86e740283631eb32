import { LinkButton } from '../lib/link-button.tsx'
import type { OwnDevice } from '@astropelago/contract/devices'
import { tokensPerDevice } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ComponentType } from 'react'
import KeyRound from 'virtual:icon/key-round'
import { DeleteDialog } from '../lib/delete-dialog.tsx'
import { publicUrl } from '../lib/public-url.ts'
import { useUser } from '../lib/use-user.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useToast } from '../ui/use-toast.ts'
import type { DeviceAction, DeviceDialogProps } from './device-buttons.tsx'
import { draftOf } from './device-draft.ts'
import { DeviceForm } from './device-form.tsx'
import { heartbeatOffsetSeconds } from './heartbeat-commands/heartbeat-offset.ts'
import { sessionCookieCommand } from './heartbeat-commands/session-cookie-command.ts'
import { useOwnDeviceChanges } from './own-device-changes.ts'
import { CommandGuideView } from './system-guides.tsx'
import { TokenList } from './token-list.tsx'

const dialogs = {
  edit: EditDeviceDialog,
  tokens: TokensDialog,
  heartbeat: HeartbeatDialog,
  delete: DeleteDeviceDialog,
} satisfies Record<DeviceAction['kind'], ComponentType<OpenDialogProps>>

type OpenDialogProps = Omit<DeviceDialogProps, 'action'> & { device: OwnDevice }

/** The dialog for an action. All dialogs load together with the first one. */
export function DeviceDialog({ action, ...rest }: DeviceDialogProps) {
  const Chosen = dialogs[action.kind]
  return <Chosen device={action.device} {...rest} />
}

function DeleteDeviceDialog({ device: { id, label }, ...rest }: OpenDialogProps) {
  const { remove } = useOwnDeviceChanges()
  return (
    <DeleteDialog
      {...rest}
      name={label}
      title={t`Delete this device?`}
      description={
        <Trans>
          <bdi className="font-medium wrap-anywhere text-ink">{label}</bdi> is deleted with its
          place and its tokens, which stop working at once. This can’t be undone.
        </Trans>
      }
      submit={t`Delete device`}
      remove={() => remove(id)}
    />
  )
}

function EditDeviceDialog({ device, onClose, explain }: OpenDialogProps) {
  const { update } = useOwnDeviceChanges()
  const showToast = useToast()
  return (
    <Dialog open onOpenChange={onClose} title={t`Edit device`} wide>
      <DeviceForm
        initial={draftOf(device)}
        // What is empty removes what is stored, so send null. Registering just omits it.
        save={(details) =>
          update(device.id, { link: null, schedule: null, isShared: false, ...details })
        }
        onSaved={() => {
          showToast({ title: t`Changes saved` })
          onClose()
        }}
        explain={explain}
        submitLabel={t`Save changes`}
        busyLabel={t`Saving…`}
      >
        <Button variant="ghost" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </DeviceForm>
    </Dialog>
  )
}

function HeartbeatDialog({ device, onClose }: OpenDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Heartbeat command`}
      description={
        <Trans>
          What <bdi className="font-medium wrap-anywhere text-ink">{device.label}</bdi> runs to say
          that it is online.
        </Trans>
      }
      wide
    >
      <Tabs
        label={t`Ways to report`}
        tabs={[
          { name: t`By device token`, content: <ByToken device={device} /> },
          { name: t`By session cookie`, content: <BySession device={device} /> },
        ]}
      />
    </Dialog>
  )
}

function ByToken({ device }: { device: OwnDevice }) {
  return (
    <div className="flex flex-col items-start gap-5">
      <p className="text-sm text-muted">
        <Trans>
          Best for a device that runs by itself. A token needs no password, it can only report, and
          you can revoke it at any time. The guide makes a token and gives you the command for
          Linux, macOS or Windows.
        </Trans>
      </p>
      <LinkButton to={paths.connectDevice(device.id)}>
        <KeyRound aria-hidden />
        <Trans>Get the command with a token</Trans>
      </LinkButton>
    </div>
  )
}

function BySession({ device }: { device: OwnDevice }) {
  const { username } = useUser()
  const guide = sessionCookieCommand({
    publicUrl: publicUrl(),
    deviceId: device.id,
    offsetSeconds: heartbeatOffsetSeconds(device.id),
    username,
  })
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <p className="text-sm text-muted">
        <Trans>
          Reports every minute with its own session. It asks for your password once. Demo accounts
          have none.
        </Trans>
      </p>
      <CommandGuideView guide={guide} />
    </div>
  )
}

function TokensDialog({ device, onClose, explain }: OpenDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Device tokens`}
      description={
        <Trans>
          What <bdi className="font-medium wrap-anywhere text-ink">{device.label}</bdi> reports
          with, up to {tokensPerDevice}. Their secrets were shown once, when they were made.
        </Trans>
      }
      wide
    >
      <TokenList device={device} explain={explain} />
    </Dialog>
  )
}
