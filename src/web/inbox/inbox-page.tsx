import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { InboxEntry } from '../../contract/inbox.ts'
import { inboxPages, markSeen } from '../data/inbox.ts'
import { Button } from '../ui/button.tsx'
import { momentText } from '../ui/moment-text.ts'
import page from '../ui/page.module.css'
import { PageHeading } from '../ui/page-heading.tsx'
import { useSchool } from '../ui/school.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { EntryActions } from './entry-actions.tsx'
import css from './inbox-page.module.css'
import { entryText } from './inbox-texts.ts'

/** The news since the user last looked, and earlier ones, each with its action. */
export function InboxPage() {
  const { t } = useTranslation()
  const { data, error, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(inboxPages)
  const [first] = data?.pages ?? []
  const since = useLastLook(first?.inbox.seen_until)
  useMarking(first?.inbox.entries[0]?.at, first?.inbox.seen_until)
  const entries = data?.pages.flatMap(({ inbox }) => inbox.entries) ?? []
  const fresh = entries.filter(({ at }) => since === null || at > (since ?? ''))
  const earlier = entries.slice(fresh.length)
  return (
    <div className={page.page}>
      <div className={page.bar}>
        <PageHeading title={t('nav.inbox')} />
      </div>
      <div className={page.scroll}>
        <div className={css.list}>
          {!data && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
          {data && entries.length === 0 && <Empty text={t('inbox.none')} />}
          <Entries title={t('inbox.fresh')} entries={fresh} isFresh />
          <Entries title={t('inbox.earlier')} entries={earlier} />
          {hasNextPage && (
            <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t('changes.earlier')}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

/** Returns the time of the last look before this one, so that what is new stays marked while the page is open. */
function useLastLook(seenUntil: string | null | undefined): string | null | undefined {
  const last = useRef(seenUntil)
  if (last.current === undefined) last.current = seenUntil
  return last.current
}

/** Marks the news as seen once they are visible. */
function useMarking(newest: string | undefined, seenUntil: string | null | undefined): void {
  const { mutate } = useMutation({ mutationFn: markSeen })
  useEffect(() => {
    if (newest === undefined || (seenUntil && newest <= seenUntil)) return
    const mark = () => document.visibilityState === 'visible' && mutate(newest)
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [newest, seenUntil, mutate])
}

type EntriesProps = {
  readonly title: string
  readonly entries: readonly InboxEntry[]
  readonly isFresh?: boolean
}

function Entries({ title, entries, isFresh }: EntriesProps) {
  const school = useSchool()
  const { t } = useTranslation()
  if (entries.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className={css.heading}>{title}</h2>
      <ol className={css.entries}>
        {entries.map((entry) => (
          <li key={entry.id} data-fresh={isFresh} data-kind={entry.kind}>
            <p className={css.what}>{entryText(entry, school, t)}</p>
            <p className={page.dimmed}>{momentText(entry.at, school)}</p>
            <EntryActions entry={entry} />
          </li>
        ))}
      </ol>
    </section>
  )
}
