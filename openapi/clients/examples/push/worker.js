// Shows push messages of Sarsen, and opens their match. Browsers with declarative Web Push do both without it.
self.addEventListener("push", (event) => {
  const { notification, app_badge, data } = event.data.json();
  const { title, body, tag, navigate } = notification;
  if (app_badge !== undefined) navigator.setAppBadge?.(app_badge).catch(() => {}); // the number of your turns
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { ...data, navigate } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { navigate, match_id } = event.notification.data;
  event.waitUntil(clients.openWindow(navigate ?? `./?match=${match_id ?? ""}`));
});
