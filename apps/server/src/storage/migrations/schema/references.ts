import type { ColumnDefinitionBuilder } from 'kysely'

/** A column whose row is deleted along with the one that it refers to. */
export function goesWith(reference: `${string}.${string}`) {
  return (column: ColumnDefinitionBuilder) =>
    column.notNull().references(reference).onDelete('cascade')
}

/** As a primary key. */
export function oneFor(reference: `${string}.${string}`) {
  return (column: ColumnDefinitionBuilder) =>
    column.primaryKey().references(reference).onDelete('cascade')
}

export function notNull(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull()
}
