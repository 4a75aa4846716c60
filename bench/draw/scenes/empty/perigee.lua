-- An empty window.
function draw() end
