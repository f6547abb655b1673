import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { UserRole } from '../../contract/auth.ts'
import type { Resource } from '../../contract/change.ts'
import { changesWhere, readActors } from '../data/changes.ts'
import page from '../ui/page.module.css'
import { PageHeading } from '../ui/page-heading.tsx'
import { useSchool } from '../ui/school.tsx'
import { ChangeEntries } from './change-entries.tsx'
import { ChangeFilter } from './change-filter.tsx'
import css from './changes-page.module.css'
import { isRestorable, RestoreButton } from './restore-button.tsx'
import { isUndoableSet } from './set-texts.ts'
import { UndoSet } from './undo-set.tsx'

const route = getRouteApi('/changes')

export function ChangesPage() {
  const { user } = useSchool()
  const { t } = useTranslation()
  const client = useQueryClient()
  const kinds = kindsFor(user.role)
  const asked = route.useSearch()
  // An owner's URL may name a resource that is hidden from the office.
  const search = { ...asked, kind: kinds.find((one) => one === asked.kind) }
  const navigate = route.useNavigate()
  const { kind, person, from, to } = search
  const isFiltered = Object.values(search).some((one) => one !== undefined)
  const mayHideNewer = person !== undefined || to !== undefined
  const pages = changesWhere({
    ...(kind && { resource: kind }),
    ...(person && { actor_id: person }),
    ...(from && { from }),
    ...(to && { to }),
  })
  // Subscribes, so that the filter lists the people of newly loaded pages.
  useInfiniteQuery(pages)
  // The name of a person without loaded changes is not known.
  const chosen: readonly [string, string][] = person ? [[person, t('changes.onePerson')]] : []
  const people = new Map([...chosen, [user.id, user.name], ...readActors(client)])
  return (
    <div className={page.page}>
      <div className={page.bar}>
        <PageHeading title={t('nav.changes')} />
        <ChangeFilter
          search={search}
          kinds={kinds}
          people={people}
          onChange={(change) =>
            void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
          }
        />
      </div>
      <div className={css.list}>
        <ChangeEntries
          pages={pages}
          none={t(isFiltered ? 'changes.noneFound' : 'changes.none')}
          hasSubjects
          offer={(change, all) => (
            <>
              {isUndoableSet(change, all) && <UndoSet change={change} all={all} />}
              {isRestorable(change, all) && <RestoreButton change={change} mayBeBack={mayHideNewer} />}
            </>
          )}
        />
      </div>
    </div>
  )
}

/** Every resource, in the filter's order; the compiler reports a missing one. */
const OFFERED = {
  appointment: true,
  student: true,
  enrolment: true,
  tick: true,
  signature: true,
  instructor: true,
  vehicle: true,
  location: true,
  schedule_request: true,
  user: true,
  tenant: true,
  lesson_type: true,
  closure: true,
  wish: true,
  availability: true,
  offer: true,
  plan: true,
  enquiry: true,
  calendar_feed: true,
  busy_calendar: true,
  student_link: true,
  webhook: true,
} as const satisfies Record<Resource, true>

const KINDS = Object.keys(OFFERED) as readonly Resource[]

/** Returns the resources whose changes a role may read: only owners read changes of users. */
function kindsFor(role: UserRole): readonly Resource[] {
  return role === 'owner' ? KINDS : KINDS.filter((kind) => kind !== 'user')
}
