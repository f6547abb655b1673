import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { SchoolUser } from '../../../contract/user.ts'
import { users } from '../../data/users.ts'
import { Button } from '../../ui/button.tsx'
import { Deferred, usePreloaded } from '../../ui/deferred.tsx'
import page from '../../ui/page.module.css'
import { PageHeading } from '../../ui/page-heading.tsx'
import list from '../../ui/people-list.module.css'
import { useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { factorText, mailText, roleText, seenText, stateText } from './user-texts.ts'
import css from './users-page.module.css'

const loadUser = () => import('./user-dialog.tsx')
const loadInvite = () => import('./invite-dialog.tsx')

const route = getRouteApi('/users')

export function UsersPage() {
  const { t } = useTranslation()
  const { user: opened, add: isNew = false } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, isError, refetch } = useQuery(users)
  const edited = data?.find(({ id }) => id === opened)
  const close = () => void navigate({ search: {}, replace: true })
  usePreloaded(loadUser, loadInvite)

  return (
    <div className={page.page}>
      <div className={page.bar}>
        <PageHeading title={t('nav.users')} />
        <span className={page.space} />
        <Button look="primary" icon="plus" onClick={() => void navigate({ search: { add: true } })}>
          {t('users.invite')}
        </Button>
      </div>
      {data && <List all={data} onOpen={(user) => void navigate({ search: { user } })} />}
      {!data && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
      {edited && <Deferred key={edited.id} load={loadUser} props={{ user: edited, onClose: close }} />}
      {isNew && <Deferred load={loadInvite} props={{ onClose: close }} />}
    </div>
  )
}

type ListProps = { readonly all: readonly SchoolUser[]; readonly onOpen: (id: string) => void }

function List({ all, onOpen }: ListProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  return (
    <div className={`${list.table} ${css.table}`}>
      <div className={list.heads} aria-hidden="true">
        <span>{t('field.name')}</span>
        <span>{t('field.role')}</span>
        <span>{t('users.state')}</span>
        <span>{t('factor.column')}</span>
        <span>{t('users.seen')}</span>
      </div>
      <ul>
        {all
          .toSorted((a, b) => format.compare(a.name, b.name))
          .map((one) => (
            <Row key={one.id} user={one} onOpen={() => onOpen(one.id)} />
          ))}
      </ul>
    </div>
  )
}

function Row({ user, onOpen }: { user: SchoolUser; onOpen: () => void }) {
  const school = useSchool()
  const { t } = useTranslation()
  const undelivered = mailText(user, t)
  return (
    <li className={`${list.row} ${css.row}`} data-state={user.state}>
      <button type="button" onClick={onOpen}>
        <span className={css.who}>
          <strong>{user.name}</strong> {user.id === school.user.id && `(${t('users.you')})`}
          <br />
          <span className={page.dimmed}>{user.email}</span>
        </span>
        <span>{roleText(user, school, t)}</span>
        <span className={css.state}>
          {stateText(user, school, t)}
          {undelivered && <span className={css.undelivered}>{undelivered}</span>}
        </span>
        <span className={css.factor}>{user.state !== 'invited' && factorText(user, t)}</span>
        <span className={css.seen}>{user.state !== 'invited' && seenText(user, school, t)}</span>
      </button>
    </li>
  )
}
