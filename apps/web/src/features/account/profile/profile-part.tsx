import { useEffect, useRef, useState } from 'react'
import Pencil from 'virtual:icon/pencil'
import { useUser } from '../../../lib/use-user.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { AvatarColour } from './avatar-colour.tsx'
import { NameForm } from './name-form.tsx'
import { OwnPicture } from './own-picture.tsx'
import { PublicName } from './public-name.tsx'

/** How other users see this one. */
export function ProfilePart() {
  const { name, avatar } = useUser()
  const [isEditing, setIsEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)

  // The focused form is gone once the button is back.
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])

  return (
    <Card aria-labelledby="profile-heading">
      <CardHeader id="profile-heading" title="Profile" description="How others see you." />
      {isEditing ? (
        <NameForm name={name ?? ''} onClose={() => setIsEditing(false)} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="flex min-w-0 flex-col text-sm">
            <span className="font-medium">Display name</span>
            <span className="text-muted">
              {name === null ? 'No display name' : <bdi className="wrap-anywhere">{name}</bdi>}
            </span>
          </p>
          <Button ref={editButton} variant="outline" size="sm" onClick={() => setIsEditing(true)}>
            <Pencil aria-hidden />
            Edit name
          </Button>
        </div>
      )}
      <PublicName />
      <OwnPicture />
      {/* The hue applies only without a picture. */}
      {avatar === null && <AvatarColour />}
    </Card>
  )
}
