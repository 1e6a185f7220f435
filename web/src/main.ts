document.title='holos';
