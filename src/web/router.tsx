import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { LocalDate } from '../domain/local-time.ts'
import { absenceSearchIn } from './absence/absence-search.ts'
import { NotFound, PageFailure, Root } from './app/root.tsx'
import { boardSearchIn } from './board/board-search.ts'
import { daySheetSearchIn } from './board/day-sheet/day-sheet-search.ts'
import { changesSearchIn } from './changes/changes-search.ts'
import { minutesSearchIn } from './minutes/minutes-search.ts'
import type { NumbersSearch } from './numbers/numbers-search.ts'
import { studentSearchIn } from './people/students/student-search.ts'
import type { RecordsSearch } from './records/records-search.ts'
import { withTexts } from './ui/i18n/i18n.ts'
import { dayIn, idIn, textIn } from './ui/id-in.ts'

/** The page's parameters: the instructor whose form is open, or the form of a new one. */
type InstructorSearch = { readonly q?: string; readonly instructor?: string; readonly add?: true }

function instructorSearchIn({ q, instructor, add }: Readonly<Record<string, unknown>>): InstructorSearch {
  return { q: textIn(q), instructor: idIn(instructor), add: add === true || undefined }
}

/** The parameters of an instructor's day: the day, and the lesson shown large. */
type TodaySearch = { readonly date?: LocalDate; readonly lesson?: string }

function todaySearchIn({ date, lesson }: Readonly<Record<string, unknown>>): TodaySearch {
  return { date: dayIn(date), lesson: idIn(lesson) }
}

/** The page's parameters: the user whose form is open, or the form of an invitation. */
type UsersSearch = { readonly user?: string; readonly add?: true }

function usersSearchIn({ user, add }: Readonly<Record<string, unknown>>): UsersSearch {
  return { user: idIn(user), add: add === true || undefined }
}

/** The page's parameter: the chapter that is shown. */
type SettingsSearch = { readonly chapter?: string }

function settingsSearchIn({ chapter }: Readonly<Record<string, unknown>>): SettingsSearch {
  return { chapter: textIn(chapter) }
}

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFound })

const boardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: boardSearchIn,
  component: lazyRouteComponent(() => import('./board/board-page.tsx'), 'BoardPage'),
})

const studentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/students',
  validateSearch: studentSearchIn,
  component: lazyRouteComponent(
    withTexts(() => import('./people/students/students-page.tsx')),
    'StudentsPage',
  ),
})

const instructorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/instructors',
  validateSearch: instructorSearchIn,
  component: lazyRouteComponent(
    withTexts(() => import('./people/instructors/instructors-page.tsx')),
    'InstructorsPage',
  ),
})

const changesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/changes',
  validateSearch: changesSearchIn,
  component: lazyRouteComponent(
    withTexts(() => import('./changes/changes-page.tsx')),
    'ChangesPage',
  ),
})

const inboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/inbox',
  component: lazyRouteComponent(
    withTexts(() => import('./inbox/inbox-page.tsx')),
    'InboxPage',
  ),
})

const enquiriesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/enquiries',
  component: lazyRouteComponent(
    withTexts(() => import('./people/enquiries/enquiries-page.tsx')),
    'EnquiriesPage',
  ),
})

const todayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/today',
  validateSearch: todaySearchIn,
  component: lazyRouteComponent(
    withTexts(() => import('./today/today-page.tsx')),
    'TodayPage',
  ),
})

const requestsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/requests',
  component: lazyRouteComponent(
    withTexts(() => import('./today/requests-page.tsx')),
    'RequestsPage',
  ),
})

const daySheetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/day-sheet',
  validateSearch: daySheetSearchIn,
  component: lazyRouteComponent(
    withTexts(() => import('./board/day-sheet/day-sheet-page.tsx')),
    'DaySheetPage',
  ),
})

const absenceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/absence',
  validateSearch: absenceSearchIn,
  component: lazyRouteComponent(
    withTexts(() => import('./absence/absence-page.tsx')),
    'AbsencePage',
  ),
})

const minutesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/minutes',
  validateSearch: minutesSearchIn,
  component: lazyRouteComponent(
    withTexts(() => import('./minutes/minutes-page.tsx')),
    'MinutesPage',
  ),
})

const numbersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/numbers',
  // The page checks them, so that the first load has no code for it.
  validateSearch: (search: NumbersSearch) => search,
  component: lazyRouteComponent(
    withTexts(() => import('./numbers/numbers-page.tsx')),
    'NumbersPage',
  ),
})

const recordsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/records',
  validateSearch: (search: RecordsSearch) => search,
  component: lazyRouteComponent(
    withTexts(() => import('./records/records-page.tsx')),
    'RecordsPage',
  ),
})

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  validateSearch: settingsSearchIn,
  component: lazyRouteComponent(
    withTexts(() => import('./settings/settings-page.tsx')),
    'SettingsPage',
  ),
})

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  staticData: { isOpen: true },
  component: lazyRouteComponent(
    withTexts(() => import('./access/login/setup-page.tsx')),
    'SetupPage',
  ),
})

const usersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users',
  validateSearch: usersSearchIn,
  component: lazyRouteComponent(
    withTexts(() => import('./people/users/users-page.tsx')),
    'UsersPage',
  ),
})

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  staticData: { isOpen: true },
  component: lazyRouteComponent(
    withTexts(() => import('./access/login/invitation-page.tsx')),
    'InvitationPage',
  ),
})

const ssoRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sso',
  staticData: { isOpen: true },
  validateSearch: ({
    school,
  }: Readonly<Record<string, unknown>>): { readonly school?: string | undefined } => ({
    school: idIn(school),
  }),
  component: lazyRouteComponent(
    withTexts(() => import('./access/login/sso-page.tsx')),
    'SsoPage',
  ),
})

const ssoCallbackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sso/callback',
  staticData: { isOpen: true },
  component: lazyRouteComponent(
    withTexts(() => import('./access/login/sso-callback-page.tsx')),
    'SsoCallbackPage',
  ),
})

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/password-reset',
  staticData: { isOpen: true },
  component: lazyRouteComponent(
    withTexts(() => import('./access/login/reset-page.tsx')),
    'ResetPage',
  ),
})

const emailChangeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/email-change',
  staticData: { isOpen: true },
  component: lazyRouteComponent(
    withTexts(() => import('./access/login/email-change-page.tsx')),
    'EmailChangePage',
  ),
})

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  component: lazyRouteComponent(
    withTexts(() => import('./access/account/account-page.tsx')),
    'AccountPage',
  ),
})

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    boardRoute,
    studentsRoute,
    instructorsRoute,
    changesRoute,
    inboxRoute,
    enquiriesRoute,
    daySheetRoute,
    absenceRoute,
    minutesRoute,
    numbersRoute,
    recordsRoute,
    settingsRoute,
    setupRoute,
    accountRoute,
    todayRoute,
    usersRoute,
    invitationRoute,
    ssoRoute,
    ssoCallbackRoute,
    resetRoute,
    emailChangeRoute,
    requestsRoute,
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailure,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
