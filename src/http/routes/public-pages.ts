import type { App, Service } from '../service.ts'
import { enquiryPageRoutes } from './enquiry-page.ts'
import { offerPageRoutes } from './offer-page.ts'
import { ssoLogoutRoutes } from './sso-logout.ts'
import { studentBookingRoutes } from './student-bookings.ts'
import { studentDeviceRoutes } from './student-devices.ts'
import { studentLessonRoutes } from './student-lessons.ts'
import { studentPageRoutes } from './student-page.ts'
import { studentSignatureRoutes } from './student-signatures.ts'
import { studentWeekRoutes } from './student-weeks.ts'
import { studentWishRoutes } from './student-wishes.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'

export async function publicPages(app: App, service: Service): Promise<void> {
  const all = [
    studentPageRoutes,
    studentLessonRoutes,
    studentBookingRoutes,
    studentWishRoutes,
    studentWeekRoutes,
    studentSignatureRoutes,
    studentDeviceRoutes,
    offerPageRoutes,
    unsubscribeRoutes,
    enquiryPageRoutes,
    ssoLogoutRoutes,
  ]
  for (const routes of all) await app.register(async (pages: App) => routes(pages, service))
}
