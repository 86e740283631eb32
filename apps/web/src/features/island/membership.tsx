import type { IslandView } from '@astropelago/contract/islands'
import { Link } from 'react-router'
import { failureText } from '../../lib/failure-text.ts'
import type { Session } from '../../lib/session.ts'
import { SignInLink } from '../../lib/sign-in-link.tsx'
import { paths } from '../../paths.ts'
import { AskFirst } from '../../ui/ask-first.tsx'
import { Button } from '../../ui/button.tsx'
import { buttonStyles } from '../../ui/button-styles.ts'
import { FormError } from '../../ui/form-error.tsx'
import { JoiningRules } from '../../islands/joining-rules.tsx'
import { useJoin, useLeave } from './island-actions.ts'

interface MembershipProps {
  island: IslandView
  session: Session['state']
}

/** The viewer's relation to an island that they may enter, and how to change it. */
export function Membership({ island, session }: MembershipProps) {
  const { role, mayEnter, mayJoin, slug } = island
  if (role === 'host') {
    return (
      <Link to={paths.islandSettings(slug)} className={buttonStyles({ variant: 'outline' })}>
        Settings
      </Link>
    )
  }
  if (role === 'member') return <Member island={island} />
  if (!mayEnter) return null
  if (session === 'signed-out') {
    return (
      <p className="text-sm text-muted">
        <SignInLink className={buttonStyles({ variant: 'link' })}>Sign in</SignInLink> to join it,
        and to write in its log.
      </p>
    )
  }
  return mayJoin ? <Guest island={island} /> : null
}

function Guest({ island }: { island: IslandView }) {
  const joining = useJoin(island)
  return (
    <>
      <JoiningRules rules={island.rules} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="outline" busy={joining.isPending} onClick={() => joining.mutate('')}>
          Join
        </Button>
        <span className="text-sm text-muted">After that you find it on your dashboard.</span>
      </div>
      <FormError>{failureText(joining.error)}</FormError>
    </>
  )
}

function Member({ island }: { island: IslandView }) {
  const leaving = useLeave(island)
  return (
    <>
      <div className="flex w-full flex-wrap items-center gap-x-4 gap-y-2">
        <span className="text-sm text-muted">You are a member.</span>
        <AskFirst
          label="Leave"
          name={`Leave ${island.name}`}
          keep="Stay"
          confirm="Leave it"
          busy={leaving.isPending}
          onConfirm={() => leaving.mutate()}
        >
          {island.access === 'invited'
            ? 'You can come back only if its host lets you in again.'
            : 'You can join again at any time.'}
        </AskFirst>
      </div>
      <FormError>{failureText(leaving.error)}</FormError>
    </>
  )
}
