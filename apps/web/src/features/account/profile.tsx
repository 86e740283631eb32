import { LogOut, Pencil } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLogOut } from '../../lib/use-log-out.ts'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { failureText } from './failure-text.ts'
import { NameForm } from './name-form.tsx'
import { PublicName } from './public-name.tsx'

export function Profile() {
  const { username, name, avatar } = useUser()
  const [isEditing, setIsEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const logOut = useLogOut(() => window.location.assign(paths.landing()))

  // The form that had the focus is gone once the button is back.
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])

  return (
    <Card aria-labelledby="profile-heading">
      <h2 id="profile-heading" className="sr-only">
        Profile
      </h2>
      <div className="flex min-w-0 items-center gap-4">
        <Avatar username={username} image={avatar} large />
        <div className="flex min-w-0 flex-col">
          <p className="truncate font-display text-title font-semibold">{username}</p>
          <p className="text-sm text-muted">
            {name === null ? 'No display name' : <bdi className="wrap-anywhere">{name}</bdi>}
          </p>
        </div>
      </div>
      {isEditing ? (
        <NameForm name={name ?? ''} onClose={() => setIsEditing(false)} />
      ) : (
        <div className="flex flex-wrap gap-3">
          <Button ref={editButton} variant="outline" size="sm" onClick={() => setIsEditing(true)}>
            <Pencil aria-hidden />
            Edit name
          </Button>
          <Button
            variant="outline"
            size="sm"
            busy={logOut.isPending || logOut.isSuccess}
            onClick={() => logOut.mutate()}
          >
            <LogOut aria-hidden />
            Log out
          </Button>
        </div>
      )}
      <FormError>{logOut.isError ? failureText(logOut.error) : undefined}</FormError>
      <PublicName />
    </Card>
  )
}
