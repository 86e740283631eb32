import {
  changeNeighbour,
  forgetNeighbour,
  type NeighbourState,
  type OperatorNeighbour,
  showNeighbourSubject,
} from '@astropelago/contract/operator-neighbours'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import TriangleAlert from 'virtual:icon/triangle-alert'
import { DeviceLink } from '../../../devices/device-link.tsx'
import { translateServerSentence } from '../../../language/server-sentence.ts'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { NeighbourMark } from '../../../neighbours/neighbour-name.tsx'
import { Button } from '../../../ui/button.tsx'
import { RemovableItem } from '../../../ui/removable-item.tsx'
import { ActionButton, DialogButton } from '../action-button.tsx'
import { AtTime } from '../at-time.tsx'
import { useAction } from '../operator-query.ts'
import { SubjectName } from '../subject-details.tsx'
import { HideDialog } from './hide-dialog.tsx'

const stateWords: Readonly<Record<NeighbourState, string>> = {
  following: t`Followed`,
  held: t`On hold`,
  blocked: t`Blocked`,
}

export function NeighbourItem({ neighbour }: { neighbour: OperatorNeighbour }) {
  const { id, name, address, colour, state, note, islandCount, deviceCount } = neighbour
  const set = (next: NeighbourState) => () =>
    call(changeNeighbour, { params: { id }, body: { state: next } })
  const resuming = useAction(set('following'), t`${name} is followed again`)
  const islands = plural(islandCount, { one: '# island', other: '# islands' })
  const devices = plural(deviceCount, { one: '# device', other: '# devices' })
  return (
    <RemovableItem error={failureText(resuming.error)}>
      <div className="flex min-w-0 flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1 text-xs text-muted">
          <h3 className="flex items-center gap-2 text-sm font-medium wrap-anywhere text-ink">
            <NeighbourMark colour={colour} />
            <bdi>{name}</bdi>
          </h3>
          <DeviceLink link={address} />
          <p data-numeric>
            <span className="font-medium text-ink">{stateWords[state]}</span>
            {' · '}
            {islands}, {devices}
          </p>
          <Contact neighbour={neighbour} />
          {note !== null && (
            <p className="flex items-start gap-2 text-danger">
              <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
              <span className="min-w-0 wrap-anywhere">{translateServerSentence(note)}</span>
            </p>
          )}
        </div>
        <div className="flex max-w-full flex-wrap gap-2">
          {state !== 'following' && (
            <Button
              variant="outline"
              size="sm"
              busy={resuming.isPending}
              aria-label={t`Follow ${name} again`}
              onClick={() => resuming.mutate()}
            >
              <Trans>Follow again</Trans>
            </Button>
          )}
          {state === 'following' && (
            <>
              <DialogButton
                size="sm"
                aria-label={t`Hide something of ${name}`}
                renderDialog={(close) => <HideDialog neighbour={neighbour} onClose={close} />}
              >
                <Trans>Hide something</Trans>
              </DialogButton>
              <ActionButton
                label={t`Hold`}
                name={t`Hold ${name}`}
                size="sm"
                title={t`Put this installation on hold?`}
                action={t`Put it on hold`}
                act={set('held')}
                done={t`${name} is on hold`}
              >
                <Trans>
                  Everything of <SubjectName>{name}</SubjectName> disappears here at once, until you
                  follow it again. Its operator is not told.
                </Trans>
              </ActionButton>
            </>
          )}
          {state !== 'blocked' && (
            <ActionButton
              label={t`Block`}
              name={t`Block ${name}`}
              size="sm"
              title={t`Block this installation?`}
              action={t`Block it`}
              isDestructive
              act={set('blocked')}
              done={t`${name} is blocked`}
            >
              <Trans>
                Everything of <SubjectName>{name}</SubjectName> disappears here at once, nothing is
                asked of it, and it can’t follow this installation.
              </Trans>
            </ActionButton>
          )}
          <ActionButton
            label={t`Forget`}
            name={t`Forget ${name}`}
            size="sm"
            title={t`Forget this installation?`}
            action={t`Forget it`}
            isDestructive
            word={name}
            act={() => call(forgetNeighbour, { params: { id } })}
            done={t`${name} is forgotten`}
          >
            <Trans>
              Everything that came from <SubjectName>{name}</SubjectName> is deleted here, along
              with your list of what is hidden. If you blocked it, that ends too.
            </Trans>
          </ActionButton>
        </div>
      </div>
      <UnknownKey neighbour={neighbour} />
      <Hidden neighbour={neighbour} />
    </RemovableItem>
  )
}

function Contact({ neighbour }: { neighbour: OperatorNeighbour }) {
  const { isConnected, contactAt, addedAt, state } = neighbour
  if (state === 'blocked') return null
  return (
    <p data-numeric>
      {isConnected && <Trans>Connected</Trans>}
      {!isConnected && contactAt === null && (
        <Trans>
          No contact yet, added <AtTime at={addedAt} />
        </Trans>
      )}
      {!isConnected && contactAt !== null && (
        <Trans>
          Last contact <AtTime at={contactAt} />
        </Trans>
      )}
    </p>
  )
}

function UnknownKey({ neighbour: { id, name, unknownKey } }: { neighbour: OperatorNeighbour }) {
  if (unknownKey === null) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-control border border-danger/40 bg-danger-soft px-4 py-3 text-sm">
      <p className="min-w-0 flex-1 basis-72">
        <Trans>
          It has a new key that its old one did not sign. Either its operator lost the old key, or
          somebody else answers at its address.
        </Trans>
      </p>
      <ActionButton
        label={t`Accept the new key`}
        name={t`Accept the new key of ${name}`}
        size="sm"
        title={t`Accept the new key of ${name}?`}
        action={t`It is the same key`}
        isDestructive={false}
        act={() => call(changeNeighbour, { params: { id }, body: { key: unknownKey } })}
        done={t`The new key of ${name} is accepted`}
      >
        <span className="flex flex-col gap-3">
          <span>
            <Trans>
              Ask its operator, by telephone or another way that does not go through that
              installation: “Did you lose your installation’s key, and does your new one read as
              follows?” Accept it only if every character is the same.
            </Trans>
          </span>
          <code className="font-mono text-xs wrap-anywhere text-ink">{unknownKey}</code>
        </span>
      </ActionButton>
    </div>
  )
}

function Hidden({ neighbour: { id, hidden } }: { neighbour: OperatorNeighbour }) {
  if (hidden.length === 0) return null
  return (
    <div className="flex flex-col gap-2 text-xs text-muted">
      <h4 className="font-medium">
        <Trans>Hidden here</Trans>
      </h4>
      <ul aria-label={t`Hidden here`} className="flex flex-col gap-2">
        {hidden.map((subject) => (
          <HiddenSubject key={`${subject.kind} ${subject.id}`} neighbourId={id} {...subject} />
        ))}
      </ul>
    </div>
  )
}

type HiddenSubjectProps = OperatorNeighbour['hidden'][number] & { readonly neighbourId: string }

function HiddenSubject({ neighbourId, kind, id }: HiddenSubjectProps) {
  const showing = useAction(
    () => call(showNeighbourSubject, { params: { id: neighbourId }, body: { kind, id } }),
    t`It is shown again`,
  )
  return (
    <li className="flex flex-wrap items-center justify-between gap-3">
      <span className="min-w-0 wrap-anywhere">
        {kind === 'island' ? t`Island` : t`Device`} <span className="font-mono">{id}</span>
      </span>
      <Button
        variant="ghost"
        size="sm"
        busy={showing.isPending}
        aria-label={t`Show ${id} again`}
        onClick={() => showing.mutate()}
      >
        <Trans>Show again</Trans>
      </Button>
      {failureText(showing.error) !== undefined && (
        <span role="alert" className="text-danger">
          {failureText(showing.error)}
        </span>
      )}
    </li>
  )
}
