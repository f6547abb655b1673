/** Shows the messages of a student on a device, and opens the student's page when one is pressed. */
self.addEventListener('push', (event) => {
  const { id, title, body, lang, page } = event.data.json()
  // A repetition replaces the first.
  event.waitUntil(self.registration.showNotification(title, { body, lang, tag: id, data: page }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { scope } = self.registration
  const { data: page } = event.notification
  event.waitUntil(self.clients.openWindow(page ? scope + page : scope.replace(/\/$/, '')))
})
