import { Avatar } from './avatar.tsx'

interface Person {
  readonly username: string
  readonly name: string | null
  readonly avatar: string | null
}

/** Only the username is unique. */
export function PersonName({ username, name, avatar }: Person) {
  return (
    <span className="flex min-w-0 items-center gap-2.5 text-sm">
      <Avatar username={username} image={avatar} hue={null} />
      <span className="min-w-0 wrap-anywhere">
        <bdi className="font-medium">{name ?? username}</bdi>
        {name !== null && <bdi className="ps-2 text-muted">{username}</bdi>}
      </span>
    </span>
  )
}
