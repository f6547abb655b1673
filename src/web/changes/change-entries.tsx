import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Change } from '../../contract/change.ts'
import type { ChangePages } from '../data/changes.ts'
import { Button } from '../ui/button.tsx'
import { Differences } from '../ui/differences.tsx'
import { momentText } from '../ui/moment-text.ts'
import page from '../ui/page.module.css'
import { useSchool } from '../ui/school.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import css from './change-entries.module.css'
import { ChangeSubject } from './change-subject.tsx'
import { actionText, actorText, changedText, isScrubbed, isWithStudent } from './change-texts.ts'

type ChangeEntriesProps = {
  readonly pages: ChangePages
  /** The message of an empty list. */
  readonly none: string
  /** Whether entries name their subject. */
  readonly hasSubjects?: boolean
  /** Returns the action to show at a change. `all` is newest first. */
  readonly offer?: (change: Change, all: readonly Change[]) => ReactNode
  /** Other resources' changes that explain these. */
  readonly beside?: readonly Change[]
}

export function ChangeEntries(props: ChangeEntriesProps) {
  const { pages, none, hasSubjects = false, offer, beside = [] } = props
  const { t } = useTranslation()
  const { data, error, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(pages)
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  const changes = data.pages.flatMap((one) => one.changes)
  if (changes.length === 0) return <p className={page.dimmed}>{none}</p>
  return (
    <>
      <ol className={css.entries}>
        {changes.map((change) => (
          <li key={change.id}>
            <p className={css.what}>
              <strong>{actionText(change, t)}</strong>{' '}
              {hasSubjects && <ChangeSubject change={change} all={changes} />}
            </p>
            <Details
              change={change}
              isBrief={hasSubjects}
              isWithStudent={isWithStudent(change, [...changes, ...beside])}
            />
            {offer?.(change, changes)}
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button className={css.earlier} isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('changes.earlier')}
        </Button>
      )}
    </>
  )
}

type DetailsProps = {
  readonly change: Change
  readonly isBrief: boolean
  readonly isWithStudent: boolean
}

function Details({ change, isBrief, isWithStudent: isPart }: DetailsProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const differences = isBrief && change.action === 'created' ? [] : changedText(change, school, t)
  const about = [
    momentText(change.at, school),
    actorText(change, t),
    ...(isPart ? [t('changes.withStudent')] : []),
  ]
  return (
    <>
      <p className={page.dimmed}>{about.join(' · ')}</p>
      {differences.length > 0 && <Differences list={differences} />}
      {isScrubbed(change) && <p className={page.dimmed}>{t('changes.scrubbed')}</p>}
    </>
  )
}
