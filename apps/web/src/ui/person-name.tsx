interface Person {
  readonly username: string
  readonly name: string | null
}

/** Somebody's display name, where there is one, and the username, which alone is theirs. */
export function PersonName({ username, name }: Person) {
  return (
    <span className="min-w-0 text-sm wrap-anywhere">
      <bdi className="font-medium">{name ?? username}</bdi>
      {name !== null && <bdi className="pl-2 text-muted">{username}</bdi>}
    </span>
  )
}
