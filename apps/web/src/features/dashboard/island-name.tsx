import { Link } from 'react-router'
import { paths } from '../../paths.ts'

interface IslandNameProps {
  readonly island: { readonly slug: string; readonly name: string }
}

/** An island in a sentence: its name, which leads to it. */
export function IslandName({ island: { slug, name } }: IslandNameProps) {
  return (
    <Link
      to={paths.island(slug)}
      className="font-medium text-ink underline decoration-line-strong underline-offset-4 transition-colors hover:decoration-current"
    >
      <bdi>{name}</bdi>
    </Link>
  )
}
