import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { changesWhere } from '../data/changes.ts'
import { restoreVehicle } from '../data/vehicles.ts'
import { Button } from '../ui/button.tsx'
import { Details } from '../ui/details.tsx'
import { momentText } from '../ui/moment-text.ts'
import { Notice } from '../ui/notice.tsx'
import { problemMessage } from '../ui/problem-messages.ts'
import { useSchool } from '../ui/school.tsx'
import css from './vehicles.module.css'

/** Lists the deleted vehicles to restore; read from the changes when opened. */
export function DeletedVehicles() {
  const { t } = useTranslation()
  return (
    <Details title={t('vehicle.deleted')} className={css.deleted}>
      <DeletedList />
    </Details>
  )
}

function DeletedList() {
  const school = useSchool()
  const { t } = useTranslation()
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery(changesWhere({ resource: 'vehicle' }))
  const { mutate, error, isPending } = useMutation({ mutationFn: restoreVehicle })
  if (!data) return null
  const deletions = new Map(
    data.pages
      .flatMap(({ changes }) => changes)
      .filter(({ action, resource_id }) => action === 'deleted' && !school.vehicle.has(resource_id))
      .map((change) => [change.resource_id, change]),
  )
  return (
    <>
      {error && <Notice kind="bad">{problemMessage(error, t)}</Notice>}
      {deletions.size === 0 && <p className={css.dimmed}>{t('deleted.none')}</p>}
      <ul className={css.list} aria-label={t('vehicle.deleted')}>
        {[...deletions].map(([id, { before, at }]) => {
          const name = String(before?.name ?? '–')
          return (
            <li key={id} className={css.gone}>
              <span>{name}</span>
              <span className={css.dimmed}>{momentText(at, school)}</span>
              <Button
                icon="undo"
                isBusy={isPending}
                aria-label={t('vehicle.restore', { name })}
                onClick={() => mutate(id)}
              >
                {t('restore.action')}
              </Button>
            </li>
          )
        })}
      </ul>
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('changes.earlier')}</Button>}
    </>
  )
}
