import { type DataTag, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

/**
 * Removes items from a list on the server, and then from the query's cached list. An item's component
 * unmounts with it, and callbacks of `mutate` do not run after that, so `onRemoved` is called here.
 */
export function useRemoval<Item, Wanted, Answer>(
  query: { readonly queryKey: DataTag<QueryKey, Item[], Error> },
  remove: (wanted: Wanted) => Promise<Answer>,
  isLeft: (item: Item, wanted: Wanted) => boolean,
  onRemoved: (answer: Answer) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: remove,
    onSuccess: async (answer, wanted) => {
      onRemoved(answer)
      await client.cancelQueries({ queryKey: query.queryKey })
      client.setQueryData(query.queryKey, (items) => items?.filter((item) => isLeft(item, wanted)))
    },
  })
}
