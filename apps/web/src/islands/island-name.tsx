import { paths } from '../paths.ts'
import { NameLink } from '../lib/name-link.tsx'

interface IslandNameProps {
  readonly island: { readonly slug: string; readonly name: string }
}

/** An island's name in a sentence, linked to the island. */
export function IslandName({ island: { slug, name } }: IslandNameProps) {
  return <NameLink to={paths.island(slug)}>{name}</NameLink>
}
