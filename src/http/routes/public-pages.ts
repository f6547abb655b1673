import type { App, Service } from '../service.ts'
import { offerPageRoutes } from './offer-page.ts'
import { studentLessonRoutes } from './student-lessons.ts'
import { studentPageRoutes } from './student-page.ts'
import { studentWishRoutes } from './student-wishes.ts'

export async function publicPages(app: App, service: Service): Promise<void> {
  for (const routes of [studentPageRoutes, studentLessonRoutes, studentWishRoutes, offerPageRoutes])
    await app.register(async (pages: App) => routes(pages, service))
}
