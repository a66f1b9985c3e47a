// A photo on which four corners are marked: tap them in any order, then drag or move them with the arrow keys.
// Once all four were marked they go back in pixels of the whole photo, after every finished movement.
const LARGE_STEP = 10;

export default function ({ data, parentElement, setStateValue }) {
  const frame = parentElement.querySelector(".frame");
  const image = frame.querySelector("img");
  const outline = frame.querySelector("polygon");
  const svg = frame.querySelector("svg");
  const fresh = frame.dataset.token !== data.token;
  if (fresh) {
    frame.dataset.token = data.token;
    image.src = data.picture;
    image.alt = data.label;
    frame.corners = data.corners.map((corner) => [...corner]);
    frame.placed = data.placed;
  }
  svg.setAttribute("viewBox", `0 0 ${data.width} ${data.height}`);
  const markers = [...frame.querySelectorAll("button")];

  const around = () => {
    // The outline goes round the middle, whatever the order in which the corners were tapped.
    const x = frame.corners.reduce((sum, corner) => sum + corner[0], 0) / 4;
    const y = frame.corners.reduce((sum, corner) => sum + corner[1], 0) / 4;
    return [...frame.corners].sort((a, b) => Math.atan2(a[1] - y, a[0] - x) - Math.atan2(b[1] - y, b[0] - x));
  };
  const show = () => {
    frame.corners.forEach(([x, y], number) => {
      markers[number].style.left = `${(100 * x) / data.width}%`;
      markers[number].style.top = `${(100 * y) / data.height}%`;
      markers[number].setAttribute("aria-label", `${data.names[number]}: ${Math.round(x)}, ${Math.round(y)}`);
    });
    outline.setAttribute("points", around().map((corner) => corner.join(",")).join(" "));
  };
  const send = () => {
    frame.placed = markers.filter((marker) => marker.classList.contains("placed")).length;
    if (frame.placed < markers.length) return;
    setStateValue("corners", frame.corners.map((corner) => corner.map((value) => Math.round(value))));
  };
  const place = (event) => {
    const box = image.getBoundingClientRect();
    const share = (value, low, length) => Math.min(1, Math.max(0, (value - low) / length));
    return [share(event.clientX, box.left, box.width) * data.width, share(event.clientY, box.top, box.height) * data.height];
  };
  const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

  image.onclick = (event) => {
    const point = place(event);
    // The first four taps move four different markers, each tap the nearest one left; later taps move the nearest.
    const waiting = [0, 1, 2, 3].filter((number) => frame.placed >= 4 || !markers[number].classList.contains("placed"));
    waiting.sort((a, b) => distance(frame.corners[a], point) - distance(frame.corners[b], point));
    frame.corners[waiting[0]] = point;
    markers[waiting[0]].classList.add("placed");
    show();
    send();
  };
  markers.forEach((marker, number) => {
    if (fresh) marker.classList.toggle("placed", data.placed >= 4);
    marker.onpointerdown = (event) => {
      event.preventDefault();
      marker.focus();
      marker.setPointerCapture(event.pointerId);
      marker.onpointermove = (move) => {
        frame.corners[number] = place(move);
        show();
      };
      marker.onpointercancel = () => {
        marker.onpointermove = null;
      };
      // A tap on a mark means the place that was tapped, like a tap beside it.
      marker.onpointerup = (up) => {
        marker.onpointermove = null;
        frame.corners[number] = place(up);
        marker.classList.add("placed");
        show();
        send();
      };
    };
    marker.onkeydown = (event) => {
      const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
      if (!step) return;
      event.preventDefault();
      const length = (event.shiftKey ? LARGE_STEP : 1) * Math.max(1, data.width / 200);
      const [x, y] = frame.corners[number];
      frame.corners[number] = [
        Math.min(data.width, Math.max(0, x + step[0] * length)),
        Math.min(data.height, Math.max(0, y + step[1] * length)),
      ];
      marker.classList.add("placed");
      show();
    };
    marker.onkeyup = (event) => {
      if (event.key.startsWith("Arrow")) send();
    };
  });
  show();
}
