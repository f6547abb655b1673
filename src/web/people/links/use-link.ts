import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FeedDetail } from '../../../contract/link.ts'
import { endLink, LINKS, linkAt, makeLink } from '../../data/links.ts'
import { refetch } from '../../data/patch-read.ts'

/** Returns the link at a path and its actions. The address is available only until the panel closes. */
export function useLink(path: string) {
  const client = useQueryClient()
  const known = useQuery(linkAt(path))
  const onSettled = () => refetch(client, { queryKey: [LINKS, path] })
  const making = useMutation({
    mutationFn: (detail: FeedDetail | undefined) => makeLink(path, detail),
    gcTime: 0,
    onSettled,
  })
  const ending = useMutation({
    mutationFn: () => endLink(path),
    onSuccess: () => making.reset(),
    onSettled,
  })
  return {
    known,
    /** The address, if it was just created. */
    url: making.data?.url,
    make: (detail?: FeedDetail) => {
      ending.reset()
      making.mutate(detail)
    },
    end: () => ending.mutate(),
    isBusy: making.isPending || ending.isPending,
    error: making.error ?? ending.error,
  }
}
